//! Every kernel passes naga and keeps to WebGPU's default limits; every file is listed; structs agree with Rust's.

use std::collections::BTreeSet;

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

use super::ALL;
use crate::kernel::Source;
use crate::layout::{Field, fields, fields_of};

/// WebGPU's default for `maxStorageBuffersPerShaderStage`.
const MAX_STORAGE_BUFFERS: usize = 8;

fn parse(source: &Source) -> (naga::Module, ModuleInfo) {
    let wgsl = source.text(&[]);
    let capabilities = if source.uses_subgroups() {
        Capabilities::SUBGROUP
    } else {
        Capabilities::empty()
    };
    let module = naga::front::wgsl::parse_str(&wgsl).map_err(|error| error.emit_to_string(&wgsl));
    let checked = module.and_then(|module| {
        let info = Validator::new(ValidationFlags::all(), capabilities)
            .validate(&module)
            .map_err(|error| error.emit_to_string(&wgsl))?;
        Ok((module, info))
    });
    checked.unwrap_or_else(|error| panic!("{}: {error}", source.name))
}

#[test]
fn every_kernel_is_valid_and_has_an_entry_point_called_main() {
    for source in ALL {
        let (module, _) = parse(source);
        assert_eq!(module.entry_points.len(), 1, "{}", source.name);
        assert_eq!(module.entry_points[0].name, "main", "{}", source.name);
    }
}

#[test]
fn every_kernel_file_is_listed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/kernels");
    let names = |folder: &str| -> BTreeSet<String> {
        std::fs::read_dir(folder)
            .expect("the kernels are there")
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter_map(|name| Some(name.strip_suffix(".wgsl")?.to_owned()))
            .collect()
    };
    let listed: BTreeSet<String> = ALL.iter().map(|source| source.name.to_owned()).collect();
    assert_eq!(names(folder), listed);
    let libs: BTreeSet<String> = ALL
        .iter()
        .flat_map(|source| source.libs)
        .map(|&lib| lib.to_owned())
        .collect();
    assert_eq!(names(&format!("{folder}/lib")), libs, "every shared file has a use");
}

#[test]
fn no_kernel_uses_more_storage_buffers_than_webgpu_guarantees() {
    for source in ALL {
        let (module, info) = parse(source);
        let used = info.get_entry_point(0);
        let buffers = module
            .global_variables
            .iter()
            .filter(|(handle, variable)| {
                matches!(variable.space, naga::AddressSpace::Storage { .. }) && !used[*handle].is_empty()
            })
            .count();
        assert!(
            buffers <= MAX_STORAGE_BUFFERS,
            "{} uses {buffers} storage buffers",
            source.name
        );
    }
}

#[test]
fn every_declared_binding_is_used() {
    for source in ALL {
        let (module, info) = parse(source);
        let used = info.get_entry_point(0);
        for (handle, variable) in module.global_variables.iter() {
            let name = variable.name.as_deref().unwrap_or_default();
            assert!(
                variable.binding.is_none() || !used[handle].is_empty(),
                "{} does not use {name}",
                source.name
            );
        }
    }
}

/// Every struct that Rust writes and a kernel reads.
fn shared_structs() -> Vec<(&'static str, Vec<Field>, usize)> {
    use crate::colliders::{ColliderContact, ColliderParams, ForceSum};
    use crate::engine::{
        Air, Attachment, Balloon, BalloonParams, BalloonWork, Bend, Body, BodyRow, Chunk, Cluster, Color, CreatureEdge,
        CreatureEntry, CreatureGroup, CreatureMember, CreatureParams, CreaturePart, Drive, Eddy, EditParams, EditRow,
        Exchange, Field, Fill, FluidParams, FoamParams, GasParams, HauledEnd, HeatExchange, HoldRound, Iteration,
        JointWork, Load, NodeWork, Params, PartLoad, PassiveParams, Patch, PatchBend, PatchParams, PickParams, Piece,
        PopulationParams, Row, RowParams, SphParams, SplitRow, StrainParams, Tree, Volume, Zone,
    };
    use crate::scan::ScanParams;
    use crate::sort::SortParams;
    vec![
        fields!(Params {
            gravity,
            h,
            stack,
            count,
            cell_bits,
            entries,
            origin,
            entry_room,
            materials,
            fields,
            pair_capacity,
            inverse_cell,
            radius,
            touch,
            reach,
            relaxation,
            calm,
            across,
            memory,
            fading,
            grip,
            max_speed,
            max_change,
            rest,
            restitution_threshold,
            averaging,
            velocity_friction,
            indices,
            stride,
            stabilizes,
            rebounds,
            bodies,
            body_up,
            body_scaling,
            iteration_part,
            members,
            levels,
            largest,
            radius_rows,
            radius_section,
            longer,
            turned_section,
            rolling_rows,
            near,
            flow_section,
            warmth_section,
            gas_rows,
            smallest,
            outline_section,
            unused,
        }),
        fields!(CreatureParams {
            creatures,
            entry_starts,
            entry_list,
            edge_starts,
            edge_list,
            part_starts,
            part_list,
            part_members,
            part_numbers,
            part_entries,
            most_gain,
            unused,
        }),
        fields!(CreatureMember {
            rest,
            mass,
            rest_rotation,
            radii,
            share,
            start,
            part_share,
            place,
            neighborhood,
            origin,
            rotation,
            turned,
            index,
            torque,
            moves,
            pulled,
            turns,
            weight,
            unused_x,
            unused_y,
            unused_z,
        }),
        fields!(CreaturePart {
            origin,
            rotation,
            rest_center,
            mass,
            near,
            first,
            center,
            count,
            travel,
            mobility,
            turned,
            bounces,
            rebound,
            unused_x,
            rebound_spin,
            unused_y,
            before,
            inverse,
        }),
        fields!(PartLoad {
            center,
            slot,
            arms,
            count,
            normals,
            turning,
            about,
            everywhere,
        }),
        fields!(CreatureGroup {
            balance,
            start,
            gain,
            turned,
            rate,
            first,
            count,
            unused_x,
            unused_y,
        }),
        fields!(CreatureEntry {
            pull,
            member,
            pushed,
            unused,
        }),
        fields!(CreatureEdge {
            twisted,
            impulse,
            first,
            second,
            rate,
            unused,
        }),
        fields!(Body {
            first,
            count,
            kind,
            path,
            angular_impulse,
            mass_scaling,
            origin,
            limit,
            force,
            mass,
            torque,
            stiffness,
            from_position,
            cluster_stiffness,
            to_position,
            threshold,
            rest_center,
            creep,
            velocity,
            mobility,
            spin,
            unity,
            inertia,
            inverse_inertia,
            rotation,
            from_rotation,
            to_rotation,
            turn,
            offset,
            lever,
            angular_momentum,
            in_tree,
            rebound,
            start_moved,
            rebound_spin,
            unused_spin,
            axis,
            unused_axis,
            axis_point,
            unused_axis_point
        }),
        fields!(Cluster {
            center,
            first,
            rest_center,
            count,
            rotation,
            guess
        }),
        fields!(Tree {
            first_level,
            levels,
            nails,
            behind,
            first_joint,
            end_joint
        }),
        fields!(NodeWork {
            mobility,
            free,
            start,
            halfway,
            inverse_inertia
        }),
        fields!(JointWork {
            stiffness,
            above,
            held,
            spread,
            gap,
            wanted,
            impulse,
            upper_arm,
            holding,
            lower_arm,
            sure,
            upper_middle,
            share,
            acts_above,
            drive,
            acts_below,
            side,
            points,
            given,
            direction,
            across,
            reaction,
            rubbed,
            rubbing,
            yielding,
            piece,
            value,
            displacement,
            mobility,
            free,
            given_along,
            yields,
            further,
            more,
            changes
        }),
        fields!(Drive {
            direction,
            kind,
            other_direction,
            leader,
            reference,
            anchor,
            path,
            least,
            most,
            stiffness,
            rest,
            damping,
            friction,
            motor,
            motor_target,
            motor_speed,
            motor_most,
            second,
            third,
            position,
            speed,
            impulse,
            before,
            turning,
            acts,
            along,
            start,
            base_position,
            place,
            base_from,
            base_to,
            base_end,
            h
        }),
        fields!(Chunk {
            first,
            count,
            body,
            sibling,
            near,
            siblings,
            guess,
            moments,
            end_position,
            unused,
            end_rotation
        }),
        fields!(Attachment {
            point,
            body,
            anchor,
            other,
            impulse,
            breaking_force,
            path,
            state,
            drive,
            is_on,
            slope,
            per_mass,
            center,
            inverse_mass,
            arm,
            first,
            other_slope,
            other_per_mass,
            other_center,
            other_inverse_mass,
            other_arm,
            other_first,
            count,
            other_count,
            is_solved,
            in_tree,
            earlier,
            unused_z,
            from_anchor,
            unused_w
        }),
        fields!(Row {
            particles,
            rest,
            softness,
            limit,
            state
        }),
        fields!(Bend {
            slots,
            weights,
            rest,
            compliance,
            step,
            unused
        }),
        fields!(HoldRound { round }),
        fields!(Patch {
            first,
            owned,
            ring,
            locals,
            first_row,
            rows,
            first_bend,
            bends,
            counts,
            bend_list,
            row_list,
            most_bends
        }),
        fields!(PatchBend {
            locals,
            rest,
            compliance,
            weights
        }),
        fields!(PatchParams {
            members,
            rows,
            bends,
            unused
        }),
        fields!(BalloonParams {
            triangle_pieces,
            participant_pieces,
            balloons,
            unused
        }),
        fields!(Piece {
            first,
            end,
            balloon,
            near
        }),
        fields!(Balloon {
            triangles,
            participants,
            row,
            filling,
            amount,
            softness,
            open,
            room,
            unused_b,
            unused_c
        }),
        fields!(BalloonWork {
            impulse,
            change,
            lost,
            volume,
            hole,
            unused_a,
            unused_b,
            unused_c
        }),
        fields!(Eddy { wave, velocity }),
        fields!(Air {
            velocity,
            count,
            unused_a,
            unused_b,
            unused_c,
            eddies
        }),
        fields!(RowParams {
            participants,
            rows,
            indices,
            unused
        }),
        fields!(Color {
            first,
            count,
            crowded,
            unused
        }),
        fields!(Iteration {
            momentum,
            carried,
            carries,
            empties,
            keep,
            take,
            press_keep,
            press_take
        }),
        fields!(Field {
            kind,
            strength,
            range,
            pull,
            place,
            lift,
            axis,
            unused,
            volume
        }),
        fields!(PassiveParams {
            dt,
            decay,
            smoothing,
            cells,
            room,
            births,
            volumes,
            counter,
            carriers,
            most,
            first,
            strays
        }),
        fields!(FoamParams {
            air,
            crest,
            meeting,
            sharpness,
            energy,
            per_full,
            most_viscosity,
            lifetime,
            most,
            random,
            few,
            covered,
            flies,
            swims,
            size,
            particles,
            counter,
            kick,
            unused_x,
            lift,
            unused_y,
            wind,
            unused_z
        }),
        fields!(FluidParams {
            smoothing,
            cells,
            capacity,
            counter,
            crowded,
            room,
            share,
            wall,
            least,
            steepness,
            leeway,
            kept,
            volume,
            per_smoothing,
            steeper,
            tension_rows,
            width,
            behind,
            pressing_wall,
            filled_share,
            filled_denominator,
            softness,
            push,
            per_crowding,
            crowding_exponent,
            choices,
            unused
        }),
        fields!(SphParams {
            share,
            wall,
            stiffness,
            laplacian,
            wall_laplacian,
            added,
            unused_a,
            unused_b
        }),
        fields!(Exchange {
            scale,
            before,
            after,
            unused
        }),
        fields!(Volume {
            place,
            radius,
            other,
            kind
        }),
        fields!(HauledEnd {
            old,
            participant,
            member,
            slot,
            body
        }),
        fields!(Load {
            body,
            first,
            count,
            mobility
        }),
        fields!(EditParams { rows, stride }),
        fields!(EditRow {
            value,
            amount,
            index,
            what,
            word,
            mobility
        }),
        fields!(BodyRow {
            value,
            what,
            other,
            member,
            rotation,
            count,
            first,
            members,
            unused
        }),
        fields!(SplitRow {
            parent,
            place,
            factor,
            unused
        }),
        fields!(StrainParams { rows, h }),
        fields!(PickParams {
            origin,
            reach,
            direction,
            radius
        }),
        fields!(PopulationParams {
            dt,
            bound,
            births,
            room,
            volumes,
            ages,
            reaps,
            stride,
            lonely,
            leaves,
            unused_x,
            unused_y
        }),
        fields!(GasParams {
            passed,
            grown,
            exact,
            per_layer,
            farthest,
            swirls,
            zones,
            warmth_at_last,
            dt,
            unused_a,
            unused_b,
            unused_c
        }),
        fields!(HeatExchange {
            scale,
            way,
            most,
            unused
        }),
        fields!(Zone {
            volume,
            warmth,
            unused_a,
            unused_b,
            unused_c
        }),
        fields!(Fill {
            first,
            count,
            lanes,
            unused
        }),
        fields!(ScanParams { count, scanned }),
        fields!(SortParams {
            count,
            blocks,
            shift,
            bits,
            summed,
            numbered
        }),
        fields!(ColliderParams {
            count,
            records,
            colliders,
            surfaces,
            materials,
            origins,
            places,
            capacity,
            counters,
            substep,
            is_last,
            radius,
            grip,
            h,
            radii,
            groups
        }),
        fields!(ColliderContact {
            point,
            pull,
            normal,
            normal_sum,
            travel,
            collider,
            friction_sum,
            inverse_mass,
            coefficients,
            turn,
            rolling
        }),
        fields!(ForceSum {
            impulse,
            contacts,
            angular_impulse,
            unused
        }),
    ]
}

#[test]
fn rust_and_wgsl_structs_have_the_same_layout() {
    for (name, expected, size) in shared_structs() {
        let mut found = false;
        for source in ALL {
            let (module, _) = parse(source);
            if let Some((fields, span)) = fields_of(&module, name) {
                found = true;
                assert_eq!(fields, expected, "{name} in {}", source.name);
                assert_eq!(span, size, "size of {name} in {}", source.name);
            }
        }
        assert!(found, "no kernel knows {name}");
    }
}
