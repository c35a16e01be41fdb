import { measureTypes } from '../types/measure.mjs'

export default async function types() {
  const { cases, failure } = await measureTypes({ peers: true })
  return {
    title: 'Types',
    text: 'What tools cost the TypeScript compiler: type instantiations, which are the same in every run, without those that the first tool causes once for all; and the heap after compiling. The tools have three parameters, which their bodies read.',
    failure,
    cases: cases.map(({ title, unit, rows }) => ({
      name: title,
      lines: rows.map(([name, size, note]) => ({
        name,
        size,
        value: `${size.toLocaleString('en-US')} ${unit}`,
        note,
      })),
    })),
  }
}
