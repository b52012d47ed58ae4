# The examples, which lie in a folder of their own for readers.
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
sys.path.insert(0, os.path.join(root, "test"))
import formats

lit_config.load_config(config, os.path.join(root, "test", "lit", "lit.cfg.py"))
config.name = "examples"
config.suffixes = [".mlir"]
config.test_format = formats.Example()
config.test_source_root = os.path.join(root, "examples")
config.test_exec_root = os.path.join(os.path.dirname(config.test_exec_root), "examples")
