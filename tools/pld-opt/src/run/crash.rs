//! A fault of compiled code ends the tool with a message instead of a bare signal.

use super::output::Exit;
use std::mem::zeroed;

/// Signal and what to say.
const FAULTS: [(libc::c_int, &str); 4] = [
    (
        libc::SIGSEGV,
        "internal error: compiled code accessed memory that is not its own; goldens, and programs \
         run with --unchecked, are not checked\n",
    ),
    (
        libc::SIGBUS,
        "internal error: compiled code accessed memory that does not exist\n",
    ),
    (
        libc::SIGFPE,
        "internal error: compiled code divided an integer by zero, or the least one by -1\n",
    ),
    (
        libc::SIGILL,
        "internal error: compiled code met an instruction that this machine does not have\n",
    ),
];

/// Installs the handlers. The simulator's own, for stack overflows, goes before them.
pub fn install() {
    for (signal, _) in FAULTS {
        // SAFETY: an all-zero sigaction is valid, and the handler only makes calls that are
        // safe in a signal handler.
        unsafe {
            let mut action: libc::sigaction = zeroed();
            action.sa_sigaction = on_fault as *const () as usize;
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

extern "C" fn on_fault(signal: libc::c_int) {
    let text = FAULTS.iter().find(|fault| fault.0 == signal);
    let text = text.map_or("internal error: a fault\n", |fault| fault.1);
    // SAFETY: `write` and `_exit` are async-signal-safe, and the text is static.
    unsafe {
        libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len());
        libc::_exit(Exit::Internal as libc::c_int)
    }
}
