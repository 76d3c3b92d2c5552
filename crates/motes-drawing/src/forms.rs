//! Meshes that bodies share: copies of a body have one form, which is prepared for drawing once.

use std::sync::Arc;

use motes_render::Mesh;
use motes_scene::{BodyForm, Looks};

/// A form, and its mesh with coarser levels for shadows.
pub(crate) struct Form {
    pub(crate) form: Arc<BodyForm>,
    pub(crate) mesh: Mesh,
}

/// A body that is drawn as a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// Its place among the looks.
    pub(crate) look: usize,
    /// The place of its form among the forms.
    pub(crate) form: usize,
    /// Whether other bodies have the same form.
    pub(crate) is_copy: bool,
}

/// The forms of all bodies that are drawn as meshes, each once, and the bodies.
pub(crate) fn forms(looks: &Looks) -> (Vec<Form>, Vec<Member>) {
    let mut forms: Vec<Form> = Vec::new();
    let mut uses: Vec<usize> = Vec::new();
    let mut members = Vec::new();
    for (number, look) in looks.bodies.iter().enumerate().filter(|(_, look)| look.is_mesh) {
        // Copies come one after the other.
        if !forms.last().is_some_and(|last| Arc::ptr_eq(&last.form, &look.form)) {
            let mesh = look.form.mesh.clone();
            forms.push(Form {
                form: look.form.clone(),
                mesh: Mesh::new(mesh.positions, mesh.triangles, true).with_levels(),
            });
            uses.push(0);
        }
        let form = forms.len() - 1;
        uses[form] += 1;
        members.push(Member {
            look: number,
            form,
            is_copy: false,
        });
    }
    for member in &mut members {
        member.is_copy = uses[member.form] > 1;
    }
    (forms, members)
}

#[cfg(test)]
mod tests {
    use super::*;
    use motes_core::CpuEngine;
    use motes_scene::Scene;

    #[test]
    fn copies_share_one_mesh_and_bodies_of_particles_have_none() {
        let text = "particle_radius = 0.1\n\
            [[rigid]]\nshape = { box = { size = [1, 1, 1] } }\ncopies = { count = [3, 1, 1], spacing = [2, 2, 2] }\n\
            [[rigid]]\nshape = { box = { size = [1, 1, 1] } }\nposition = [0, 5, 0]\n\
            [[rigid]]\nshape = { box = { size = [1, 1, 1] } }\nposition = [0, 9, 0]\ndraw = \"particles\"\n";
        let scene = Scene::from_toml(text, "copies.toml").expect("a scene");
        let built = scene.build(Box::new(CpuEngine::new())).expect("a world");
        let (forms, members) = forms(&built.looks);
        assert_eq!(forms.len(), 2);
        let found: Vec<_> = members.iter().map(|member| (member.form, member.is_copy)).collect();
        assert_eq!(found, [(0, true), (0, true), (0, true), (1, false)]);
    }
}
