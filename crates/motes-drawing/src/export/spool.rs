//! Data that is written in another order than it comes in: threads of bytes, of which only the ends are in memory.

use std::io::{self, Read, Seek, SeekFrom, Write};

/// Bytes of a thread that are kept in memory at most.
const KEPT: usize = 4096;

/// A place for bytes that come in by turns for many threads.
pub(crate) struct Spool<S> {
    store: S,
    end: u64,
}

/// Bytes that belong one after the other.
#[derive(Debug, Default)]
pub(crate) struct Thread {
    /// Where pieces lie in the store, and their lengths.
    pieces: Vec<(u64, u64)>,
    /// What is not in the store yet.
    last: Vec<u8>,
    len: u64,
}

impl Thread {
    /// Bytes in all.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }
}

impl<S: Read + Write + Seek> Spool<S> {
    /// Uses a store that is empty.
    pub(crate) fn new(store: S) -> Self {
        Self { store, end: 0 }
    }

    /// Adds bytes to the end of a thread.
    pub(crate) fn push(&mut self, thread: &mut Thread, bytes: &[u8]) -> io::Result<()> {
        thread.last.extend_from_slice(bytes);
        thread.len += bytes.len() as u64;
        if thread.last.len() >= KEPT {
            self.store.seek(SeekFrom::Start(self.end))?;
            self.store.write_all(&thread.last)?;
            let length = thread.last.len() as u64;
            match thread.pieces.last_mut() {
                Some((start, before)) if *start + *before == self.end => *before += length,
                _ => thread.pieces.push((self.end, length)),
            }
            self.end += length;
            thread.last.clear();
            thread.last.shrink_to(KEPT);
        }
        Ok(())
    }

    /// Writes a whole thread.
    pub(crate) fn copy(&mut self, thread: &Thread, out: &mut impl Write) -> io::Result<()> {
        for &(start, length) in &thread.pieces {
            self.store.seek(SeekFrom::Start(start))?;
            let copied = io::copy(&mut (&mut self.store).take(length), out)?;
            if copied < length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        out.write_all(&thread.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn threads_come_out_whole() {
        let mut spool = Spool::new(Cursor::new(Vec::new()));
        let mut threads: Vec<Thread> = (0..3).map(|_| Thread::default()).collect();
        let mut expected = vec![Vec::new(); 3];
        for turn in 0..4000_u32 {
            let number = (turn * turn % 3) as usize;
            let bytes = vec![turn as u8; (turn % 37) as usize * if turn % 500 == 0 { 300 } else { 1 }];
            spool.push(&mut threads[number], &bytes).expect("pushed");
            expected[number].extend(bytes);
        }
        for (thread, expected) in threads.iter().zip(expected) {
            let mut found = Vec::new();
            spool.copy(thread, &mut found).expect("copied");
            assert_eq!(thread.len(), found.len() as u64);
            assert_eq!(found, expected);
        }
        assert!(!threads[0].pieces.is_empty());
    }
}
