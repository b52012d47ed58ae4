//! Live objects by number. A handle that C holds is a slot and the generation of its owner, so a
//! handle that is dead or was never one is told from a live one without being followed.

use std::{
    ffi::c_void,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// What a handle can be of. An object is locked while a function uses it.
#[derive(Clone)]
pub enum Object {
    Session(Arc<Mutex<crate::session::Session>>),
    Module(Arc<Mutex<crate::module::Module>>),
    Artifact(Arc<crate::artifact::Artifact>),
    Simulation(Arc<crate::simulation::Running>),
}

struct Slot {
    generation: u32,
    object: Option<Object>,
}

static TABLE: Mutex<Vec<Slot>> = Mutex::new(Vec::new());

/// Locks also what a panic left behind: nothing in here is half done.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A new handle of an object.
pub fn insert(object: Object) -> *mut c_void {
    let mut table = lock(&TABLE);
    let free = table.iter().position(|slot| slot.object.is_none());
    let slot = free.unwrap_or_else(|| {
        table.push(Slot {
            generation: 0,
            object: None,
        });
        table.len() - 1
    });
    let entry = &mut table[slot];
    entry.generation = entry.generation.wrapping_add(1);
    entry.object = Some(object);
    encode(slot, entry.generation)
}

/// The object of a handle, if it lives.
pub fn get(handle: *const c_void) -> Option<Object> {
    let (slot, generation) = decode(handle)?;
    let table = lock(&TABLE);
    let entry = table.get(slot)?;
    (entry.generation == generation).then(|| entry.object.clone())?
}

/// Ends a handle whose object `is` of the right kind. The object goes when nobody uses it.
pub fn remove(handle: *const c_void, is: impl Fn(&Object) -> bool) -> bool {
    let Some((slot, generation)) = decode(handle) else {
        return false;
    };
    let removed = {
        let mut table = lock(&TABLE);
        match table.get_mut(slot) {
            Some(entry) if entry.generation == generation => {
                entry.object.take_if(|object| is(object))
            }
            _ => None,
        }
    };
    // Dropped out of the lock: what it holds may take long to free.
    removed.is_some()
}

/// Never null, and odd, so that no pointer of C's is one by chance.
fn encode(slot: usize, generation: u32) -> *mut c_void {
    let number = (u64::from(generation) << 32) | ((slot as u64) << 1) | 1;
    std::ptr::without_provenance_mut(number as usize)
}

fn decode(handle: *const c_void) -> Option<(usize, u32)> {
    let number = handle.addr() as u64;
    let slot = (number & 0xffff_ffff) >> 1;
    (number & 1 == 1).then_some((slot as usize, (number >> 32) as u32))
}
