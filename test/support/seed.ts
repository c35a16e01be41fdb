import fc from 'fast-check'

// The same samples each time, so that a change is judged by what it changed; FC_SEED=n looks elsewhere.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_130) })
