//! What the orrery is made of. In: one seed. Out: content, how each body moves, and the comets' orbits.

use glam::{DQuat, DVec3};

use super::{Body, Orbit, SUN, SUN_RADIUS, look};
use crate::scene::mesh::{Meshes, direction, ring, rock, sphere};
use crate::scene::random::Random;
use crate::scene::turn::Turn;
use crate::scene::{Content, Instance, Strip};

const SEED: u64 = 0x6f72_7265_7279;

/// Pieces along a comet's tail, and around a planet's ring.
const TAIL_SEGMENTS: u32 = 48;
const RING_SEGMENTS: u32 = 96;

/// A planet and the moons around it. Lengths are the world's, moons' orbits are in planet radii, years in frames.
pub(super) struct Planet {
    orbit: f64,
    radius: f64,
    year: f64,
    /// Where on its orbit it starts, and how far its axis leans, in turns.
    start: f64,
    tilt: f64,
    material: u32,
    moons: usize,
    moons_out_to: f64,
}

/// From the sun outward.
#[rustfmt::skip]
pub(super) const PLANETS: [Planet; 7] = [
    Planet { orbit: 8.5, radius: 0.5, year: 1100.0, start: 0.62, tilt: 0.01, material: look::CINDER, moons: 0, moons_out_to: 0.0 },
    Planet { orbit: 12.5, radius: 0.8, year: 2000.0, start: 0.13, tilt: 0.07, material: look::DUST, moons: 2, moons_out_to: 2.6 },
    Planet { orbit: 18.0, radius: 1.15, year: 3600.0, start: 0.80, tilt: 0.065, material: look::OCEAN, moons: 1, moons_out_to: 2.8 },
    Planet { orbit: 33.0, radius: 2.9, year: 9000.0, start: 0.36, tilt: 0.02, material: look::AMBER, moons: 72, moons_out_to: 3.8 },
    Planet { orbit: 44.0, radius: 2.3, year: 14_000.0, start: 0.055, tilt: 0.07, material: look::STRAW, moons: 58, moons_out_to: 4.4 },
    Planet { orbit: 55.0, radius: 1.7, year: 20_000.0, start: 0.69, tilt: 0.23, material: look::ICE, moons: 24, moons_out_to: 3.4 },
    Planet { orbit: 64.0, radius: 0.9, year: 26_000.0, start: 0.92, tilt: 0.05, material: look::FROST, moons: 4, moons_out_to: 3.0 },
];

/// A ring of rocks around the sun.
struct Belt {
    rocks: usize,
    from: f64,
    to: f64,
    /// How far rocks stray from the plane, in turns.
    lean: f64,
    largest: f64,
    materials: &'static [u32],
}

const BELTS: [Belt; 2] = [
    Belt {
        rocks: 2800,
        from: 21.5,
        to: 28.0,
        lean: 0.012,
        largest: 0.26,
        materials: &[look::ROCK, look::ROCK_DARK, look::ROCK_RED],
    },
    Belt {
        rocks: 800,
        from: 69.0,
        to: 86.0,
        lean: 0.02,
        largest: 0.4,
        materials: &[look::FROST, look::ROCK_DARK],
    },
];

/// The scene while it is made; each step adds to the lists.
pub(super) struct Make {
    pub(super) content: Content,
    pub(super) bodies: Vec<Body>,
    pub(super) comets: Vec<Orbit>,
    random: Random,
    ball: u32,
    hoop: u32,
    rocks: [u32; 3],
}

impl Make {
    pub(super) fn all() -> Self {
        let mut make = Self::shapes();
        make.sun_and_planets();
        make.hoops();
        make.moons();
        BELTS.iter().for_each(|belt| make.belt(belt));
        (0..3).for_each(|comet| make.comet(comet));
        make.giants_rings();
        make
    }

    fn shapes() -> Self {
        let mut meshes = Meshes::default();
        let ball = meshes.add([4, 3, 2, 1].map(sphere).into(), &[0.09, 0.03, 0.008]);
        let hoop = meshes.add(vec![ring(160, 4)], &[]);
        let mut stone =
            |seed| meshes.add([3, 2, 1, 0].map(|splits| rock(splits, seed)).into(), &[0.06, 0.02, 0.007]);
        let rocks = [stone(1), stone(2), stone(3)];
        let content = Content { meshes, materials: look::materials(), ..Content::default() };
        let random = Random::new(SEED);
        Self { content, bodies: Vec::new(), comets: Vec::new(), random, ball, hoop, rocks }
    }

    /// Adds an instance and how it moves; its index.
    fn add(&mut self, mesh: u32, material: u32, inflate: f64, body: Body) -> usize {
        let index = self.bodies.len();
        // Planets and what circles the sun have nothing between them and the light.
        let shade = if body.around == SUN { index } else { body.around };
        self.content.instances.push(Instance {
            mesh,
            material,
            seed: self.random.half_word(),
            shade: index_of(shade),
            inflate: inflate as f32,
            stretch: [1.0; 3],
        });
        self.content.moving += 1;
        self.bodies.push(body);
        index
    }

    fn sun_and_planets(&mut self) {
        let still = Body {
            around: SUN,
            orbit: Orbit::NONE,
            radius: SUN_RADIUS,
            tilt: DQuat::IDENTITY,
            axis: DVec3::Y,
            spin: Turn(0),
            spin_rate: Turn::of(1.0 / 7000.0),
        };
        self.add(self.ball, look::SUN, 0.0, still);
        for planet in &PLANETS {
            let spin_rate = Turn::of(self.random.between(1.0 / 1500.0, 1.0 / 600.0));
            let spin = Turn(self.random.half_word());
            let body = Body {
                orbit: Orbit::circle(planet.orbit, planet.year, planet.start, 0.0, 0.0),
                radius: planet.radius,
                tilt: about(DVec3::new(0.8, 0.0, 0.6), planet.tilt),
                spin,
                spin_rate,
                ..still
            };
            self.add(self.ball, planet.material, 0.0, body);
        }
    }

    /// The brass hoops that make it an orrery: one along each planet's orbit, and a graduated one around the sun.
    fn hoops(&mut self) {
        let hoop = |radius| Body {
            around: SUN,
            orbit: Orbit::NONE,
            radius,
            tilt: DQuat::IDENTITY,
            axis: DVec3::Y,
            spin: Turn(0),
            spin_rate: Turn(0),
        };
        for planet in &PLANETS {
            self.add(self.hoop, look::BRASS, 0.05 + planet.orbit * 0.001, hoop(planet.orbit));
        }
        self.add(self.hoop, look::BRASS_DIAL, 0.12, hoop(6.2));
    }

    fn moons(&mut self) {
        for (planet, stats) in PLANETS.iter().enumerate() {
            let around = planet + 1;
            let tilt = self.bodies[around].tilt;
            for moon in 0..stats.moons {
                let small = self.random.unit();
                // A few large ones, many small.
                let share = if moon < 4 { 0.07 + 0.09 * small } else { 0.012 + 0.03 * small * small };
                let out = self.random.between(1.55, stats.moons_out_to);
                let lap = 260.0 * out.powi(2);
                let lean = self.random.bell(0.03);
                let node = self.random.unit();
                let mut orbit = Orbit::circle(out * stats.radius, lap, self.random.unit(), lean, node);
                (orbit.x, orbit.y) = (tilt * orbit.x, tilt * orbit.y);
                let material = look::MOONS[self.random.half_word() as usize % look::MOONS.len()];
                let body = self.tumbling(around, orbit, share * stats.radius);
                let mesh = if share > 0.05 { self.ball } else { self.rocks[moon % 3] };
                self.add(mesh, material, 0.0, body);
            }
        }
    }

    fn tumbling(&mut self, around: usize, orbit: Orbit, radius: f64) -> Body {
        Body {
            around,
            orbit,
            radius,
            tilt: DQuat::IDENTITY,
            axis: direction(&mut self.random),
            spin: Turn(self.random.half_word()),
            spin_rate: Turn::of(self.random.between(1.0 / 900.0, 1.0 / 150.0)),
        }
    }

    fn belt(&mut self, belt: &Belt) {
        for i in 0..belt.rocks {
            let middle = f64::midpoint(belt.from, belt.to);
            let radius = middle + self.random.bell((belt.to - belt.from) / 2.0);
            let year = 38.0 * radius * radius.sqrt();
            let lean = self.random.bell(belt.lean);
            let node = self.random.unit();
            let mut orbit = Orbit::circle(radius, year, self.random.unit(), lean, node);
            orbit.eccentricity = self.random.between(0.0, 0.03);
            let size = self.random.unit();
            let body = self.tumbling(SUN, orbit, belt.largest * (0.24 + 0.76 * size.powi(6)));
            let pick = self.random.half_word() as usize;
            self.add(self.rocks[i % 3], belt.materials[pick % belt.materials.len()], 0.0, body);
        }
    }

    /// A comet: its orbit, a head, and strands of tail.
    fn comet(&mut self, comet: u32) {
        let (start, node) = [(0.97, 0.1), (0.05, 0.43), (0.985, 0.74)][comet as usize];
        let mut orbit = Orbit::circle(26.0 + 3.0 * f64::from(comet), 9000.0, start, 0.03, node);
        orbit.eccentricity = 0.62;
        self.comets.push(orbit);
        let body = self.tumbling(SUN, orbit, 0.28);
        let head = self.add(self.ball, look::COMET, 0.0, body);
        for strand in 0..24 {
            let inner = f64::from(strand % 7) / 7.0;
            let strip = Strip {
                anchor: comet,
                kind: Strip::TAIL,
                angle: self.random.between(0.0, std::f64::consts::TAU) as f32,
                reach: (0.02 + 0.14 * inner * self.random.unit()) as f32,
                half_width: self.random.between(0.003, 0.009) as f32,
                stretch: (1.0 - 0.55 * inner * self.random.unit()) as f32,
                material: if strand % 3 == 0 { look::TAIL_ION } else { look::TAIL_DUST },
                shade: index_of(head),
            };
            self.strip(strip);
        }
    }

    /// Rings of the two giants, ringlet by ringlet, with gaps between them.
    fn giants_rings(&mut self) {
        let comets = u32::try_from(self.comets.len()).unwrap_or(0);
        let bands = [
            (super::AMBER, 1.72, 1.80, 2),
            (super::STRAW, 1.35, 1.62, 7),
            (super::STRAW, 1.68, 2.08, 10),
            (super::STRAW, 2.14, 2.34, 5),
        ];
        for (giant, from, to, ringlets) in bands {
            let pitch = (to - from) / f64::from(ringlets);
            for i in 0..ringlets {
                let fill = self.random.between(0.30, 0.49);
                let strip = Strip {
                    anchor: comets + u32::from(giant == super::STRAW),
                    kind: Strip::RING,
                    angle: self.random.between(0.0, std::f64::consts::TAU) as f32,
                    reach: (from + pitch * (f64::from(i) + 0.5)) as f32,
                    half_width: (pitch * fill) as f32,
                    stretch: 0.012,
                    material: look::RINGS[self.random.half_word() as usize % look::RINGS.len()],
                    shade: index_of(giant),
                };
                self.strip(strip);
            }
        }
    }

    fn strip(&mut self, strip: Strip) {
        let segments = if strip.kind == Strip::TAIL { TAIL_SEGMENTS } else { RING_SEGMENTS };
        self.content.strip(strip, segments);
    }
}

/// A rotation by `turns` about `axis`.
fn about(axis: DVec3, turns: f64) -> DQuat {
    let (sine, cosine) = Turn::of(turns / 2.0).sin_cos();
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

#[expect(clippy::cast_possible_truncation, reason = "a scene has far fewer than 2^32 of anything")]
const fn index_of(n: usize) -> u32 {
    n as u32
}
