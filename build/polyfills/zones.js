const STEP = 5

/** Time zones from the text that `build/polyfills.mjs` packs; each is unpacked when it is asked for. */
export function readZones(text) {
  const [distances, states, ...lines] = text.split('\n')
  const secondsAt = distances.split(' ')
  const stateAt = states.split(' ')
  const unpack = packed => {
    let at = 0
    return Array.from({ length: packed.length / STEP }, (_, i) => {
      at += parseInt(secondsAt[parseInt(packed.slice(i * STEP, i * STEP + 3), 36)], 36)
      const state = stateAt[parseInt(packed.slice(i * STEP + 3, (i + 1) * STEP), 36)]
      return [i === 0 ? -Infinity : at, '', parseInt(state, 36), state.endsWith('!')]
    })
  }
  const zones = {}
  for (const line of lines) {
    const end = line.search(/[|=]/)
    let changes
    const get = () => {
      const rest = line.slice(end + 1)
      changes ??= line[end] === '=' ? zones[rest] : unpack(rest)
      return changes
    }
    Object.defineProperty(zones, line.slice(0, end), { enumerable: true, get })
  }
  return zones
}
