//! Compares the layout of a Rust struct with that of the WGSL struct of the same name.

/// Name, offset and size of a member.
pub(crate) type Field = (String, usize, usize);

/// Name, members and size of a Rust struct: `fields!(Params { count, radius })`, all members in order.
macro_rules! fields {
    ($name:ident { $($field:ident),* $(,)? }) => {{
        // Fails to compile if a member is left out.
        #[allow(dead_code)]
        fn whole($name { $($field: _),* }: $name) {}
        let zero: $name = bytemuck::Zeroable::zeroed();
        (
            stringify!($name),
            vec![$((
                stringify!($field).to_owned(),
                core::mem::offset_of!($name, $field),
                size_of_val(&zero.$field),
            )),*],
            size_of::<$name>(),
        )
    }};
}
pub(crate) use fields;

/// Members and size of the struct `name` of a module, if it has one.
pub(crate) fn fields_of(module: &naga::Module, name: &str) -> Option<(Vec<Field>, usize)> {
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).ok()?;
    module.types.iter().find_map(|(_, ty)| match &ty.inner {
        naga::TypeInner::Struct { members, span } if ty.name.as_deref() == Some(name) => {
            let fields = members
                .iter()
                .map(|member| {
                    let size = layouter[member.ty].size as usize;
                    let name = member.name.clone().unwrap_or_default();
                    (name, member.offset as usize, size)
                })
                .collect();
            Some((fields, *span as usize))
        }
        _ => None,
    })
}
