//! Turns a stack overflow in compiled code into an ordinary end of its coroutine.
//!
//! The fault lands on the guard page of the running coroutine's stack. A signal handler on an alternate stack sees that
//! and redirects the coroutine to return [`End::Overflow`] to its worker. Any other fault goes to the handler that was
//! installed before.

use crate::fiber::End;
use corosensei::trap::{CoroutineTrapHandler, TrapHandlerRegs};
use std::cell::Cell;
use std::mem::{MaybeUninit, zeroed};
use std::ptr::null_mut;
use std::sync::OnceLock;

/// The coroutine that a thread runs at the moment.
#[derive(Clone, Copy)]
pub(crate) struct Running {
    pub(crate) trap: CoroutineTrapHandler<End>,
    /// The guard's addresses, `[low, high)`.
    pub(crate) guard: (usize, usize),
}

thread_local! {
    static RUNNING: Cell<Option<Running>> = const { Cell::new(None) };
}

/// Calls `resume` while faults on `running`'s guard count as its overflow.
pub(crate) fn watched<T>(running: Running, resume: impl FnOnce() -> T) -> T {
    RUNNING.set(Some(running));
    let result = resume();
    RUNNING.set(None);
    result
}

static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

/// Installs the handler, once per process.
pub(crate) fn install() {
    PREVIOUS.get_or_init(|| {
        let mut previous = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: an all-zero sigaction is valid; the handler only touches async-signal-safe state, and `previous` is
        // written by the call (or stays zero, which means the default action).
        unsafe {
            let mut action: libc::sigaction = zeroed();
            action.sa_sigaction = on_fault as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(libc::SIGSEGV, &action, previous.as_mut_ptr());
            previous.assume_init()
        }
    });
}

extern "C" fn on_fault(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    // SAFETY: the kernel passes valid pointers to a handler installed with SA_SIGINFO.
    let address = unsafe { (*info).si_addr() } as usize;
    match RUNNING.get() {
        Some(running) if (running.guard.0..running.guard.1).contains(&address) => {
            // SAFETY: the fault is on this thread's running coroutine, which is alive while `RUNNING` is set; its frames
            // are given up, and the registers are updated as the trap handler asks.
            unsafe {
                redirect(
                    context.cast(),
                    running.trap.setup_trap_handler(|| End::Overflow),
                )
            };
        }
        _ => pass_on(signal, info, context),
    }
}

#[cfg(target_arch = "x86_64")]
unsafe fn redirect(context: *mut libc::ucontext_t, registers: TrapHandlerRegs) {
    let TrapHandlerRegs {
        rip,
        rsp,
        rbp,
        rdi,
        rsi,
    } = registers;
    // SAFETY: the caller passes the context of a signal handler.
    let saved = unsafe { &mut (*context).uc_mcontext.gregs };
    saved[libc::REG_RIP as usize] = rip as i64;
    saved[libc::REG_RSP as usize] = rsp as i64;
    saved[libc::REG_RBP as usize] = rbp as i64;
    saved[libc::REG_RDI as usize] = rdi as i64;
    saved[libc::REG_RSI as usize] = rsi as i64;
}

#[cfg(target_arch = "aarch64")]
unsafe fn redirect(context: *mut libc::ucontext_t, registers: TrapHandlerRegs) {
    let TrapHandlerRegs {
        pc,
        sp,
        x0,
        x1,
        x29,
        lr,
    } = registers;
    // SAFETY: the caller passes the context of a signal handler.
    let saved = unsafe { &mut (*context).uc_mcontext };
    saved.pc = pc;
    saved.sp = sp;
    saved.regs[0] = x0;
    saved.regs[1] = x1;
    saved.regs[29] = x29;
    saved.regs[30] = lr;
}

/// Does what would have happened without this module.
fn pass_on(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let previous = PREVIOUS
        .get()
        .filter(|p| p.sa_sigaction != libc::SIG_DFL && p.sa_sigaction != libc::SIG_IGN);
    match previous {
        Some(previous) if previous.sa_flags & libc::SA_SIGINFO != 0 => {
            type Handler = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);
            // SAFETY: SA_SIGINFO says that the stored address is a function of this type.
            let handler: Handler = unsafe { std::mem::transmute(previous.sa_sigaction) };
            handler(signal, info, context);
        }
        Some(previous) => {
            // SAFETY: without SA_SIGINFO, a value other than the two constants is a function of this type.
            let handler: extern "C" fn(libc::c_int) =
                unsafe { std::mem::transmute(previous.sa_sigaction) };
            handler(signal);
        }
        // SAFETY: restoring the default action; the faulting instruction then runs again and ends the process.
        None => unsafe {
            libc::signal(signal, libc::SIG_DFL);
        },
    }
}

const ALTERNATE_BYTES: usize = 64 * 1024;

/// An alternate signal stack for this thread, where it has none; a handler cannot run on the stack that overflowed.
pub(crate) struct AlternateStack(Option<Box<[u8]>>);

impl AlternateStack {
    pub(crate) fn ensure() -> Self {
        // SAFETY: an all-zero stack_t is valid, and the call only writes to it.
        let present = unsafe {
            let mut current: libc::stack_t = zeroed();
            libc::sigaltstack(null_mut(), &mut current) == 0
                && current.ss_flags & libc::SS_DISABLE == 0
        };
        if present {
            return Self(None);
        }
        let mut memory = vec![0u8; ALTERNATE_BYTES].into_boxed_slice();
        let stack = libc::stack_t {
            ss_sp: memory.as_mut_ptr().cast(),
            ss_flags: 0,
            ss_size: memory.len(),
        };
        // SAFETY: the memory stays until `drop` has taken it out of use.
        unsafe { libc::sigaltstack(&stack, null_mut()) };
        Self(Some(memory))
    }
}

impl Drop for AlternateStack {
    fn drop(&mut self) {
        if self.0.is_some() {
            let none = libc::stack_t {
                ss_sp: null_mut(),
                ss_flags: libc::SS_DISABLE,
                ss_size: 0,
            };
            // SAFETY: this thread's handlers fall back to its own stack before the memory goes.
            unsafe { libc::sigaltstack(&none, null_mut()) };
        }
    }
}
