//! Bind groups that are kept for as long as they are for the same buffers.

/// One bind group per slot.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    slots: Vec<Option<(Vec<wgpu::Buffer>, wgpu::BindGroup)>>,
}

impl Bindings {
    /// Forgets all, because something that is bound in every slot was replaced.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
    }

    /// The bind group of a slot, made anew if any of `buffers` is another one than before.
    pub(super) fn get<const N: usize>(
        &mut self,
        slot: usize,
        buffers: [&wgpu::Buffer; N],
        bind: impl FnOnce() -> wgpu::BindGroup,
    ) -> &wgpu::BindGroup {
        if self.slots.len() <= slot {
            self.slots.resize_with(slot + 1, || None);
        }
        let entry = &mut self.slots[slot];
        if entry.as_ref().is_some_and(|(bound, _)| !bound.iter().eq(buffers)) {
            *entry = None;
        }
        &entry
            .get_or_insert_with(|| (buffers.map(wgpu::Buffer::clone).to_vec(), bind()))
            .1
    }
}
