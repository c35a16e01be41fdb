// Timing of contestants against each other: round-robin, so that a slow moment of the machine hits all of them.

/** The q-quantile of numbers, 0.5 being the median. */
export function quantile(samples, q) {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]
}

/** A round's order: somebody else begins each time. */
export function inTurn(entries, round) {
  const shift = round % entries.length
  return [...entries.slice(shift), ...entries.slice(0, shift)]
}

async function timed(run, count) {
  const start = performance.now()
  for (let i = 0; i < count; i++) await run()
  return (performance.now() - start) / count
}

/** How many calls make one sample of about `sampleMs`; warms the contestant up on the way. */
async function calibrate(run, sampleMs, warmUpMs) {
  const end = performance.now() + warmUpMs
  // The best of the warm-up: an interruption must not make the samples shorter than the others'.
  let best = await timed(run, 1)
  while (performance.now() < end) best = Math.min(best, await timed(run, Math.ceil(1 / Math.max(best, 1e-4))))
  return Math.max(1, Math.round(sampleMs / best))
}

/**
 * Times `{ name, run, note? }` in turns. A sample is the mean over calls made one after another for about `sampleMs`
 * (one call where that takes longer); answers each contestant's median and 95th percentile in milliseconds. After `maxMs`
 * no round starts, save for the first 15.
 */
export async function race(
  contestants,
  { rounds = 600, sampleMs = 0.25, warmUpMs = 400, maxMs = 15_000 } = {},
) {
  const entries = []
  for (const contestant of contestants) {
    const count = await calibrate(contestant.run, sampleMs, warmUpMs)
    entries.push({ ...contestant, count, samples: [] })
  }
  const end = performance.now() + maxMs
  for (let round = 0; round < rounds; round++) {
    if (round >= 15 && performance.now() > end) break
    for (const entry of inTurn(entries, round)) {
      if (entry.failure !== undefined) continue
      try {
        entry.samples.push(await timed(entry.run, entry.count))
      } catch (error) {
        entry.failure = error
      }
    }
  }
  return entries.map(({ name, note, samples, failure }) =>
    failure === undefined ? summary(name, samples, note) : missing(name, failure),
  )
}

/** One line of a table from samples in milliseconds. */
export function summary(name, samples, note) {
  return { name, note, median: quantile(samples, 0.5), p95: quantile(samples, 0.95) }
}

/** A line for what could not be measured, with the reason. */
export function missing(name, error) {
  return { name, note: `not measured: ${error instanceof Error ? error.message.split('\n')[0] : error}` }
}

/** Runs `make` for a contestant; a failure becomes the reason that its line gives. */
export async function attempt(name, make) {
  try {
    return await make()
  } catch (error) {
    return missing(name, error)
  }
}

/** Races those that could be set up and keeps the reasons of the others. */
export async function raceAll(candidates, options) {
  const ready = []
  const failed = []
  for (const [name, make] of candidates) {
    const contestant = await attempt(name, async () => {
      const { run, note } = await make()
      await run()
      return { name, run, note }
    })
    ;(contestant.run === undefined ? failed : ready).push(contestant)
  }
  return [...(await race(ready, options)), ...failed]
}
