import fc from 'fast-check';

// A run can be repeated: the properties draw from one seed. FAST_CHECK_SEED=<number> explores another, =random a new one.
const wanted = process.env.FAST_CHECK_SEED ?? '20261130';
const seed = wanted === 'random' ? Date.now() | 0 : Number(wanted);
fc.configureGlobal({ seed });
