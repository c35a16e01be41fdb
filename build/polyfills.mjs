// Makes the texts that a program's globals are evaluated from when it touches them: packages for the web's and the
// language's own names that the engine lacks, each part bundled into one function.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { patchPackage } from './patch-packages.mjs'

const here = fileURLToPath(new URL('polyfills/', import.meta.url))
const require = createRequire(import.meta.url)

/** Parts by name; each evaluates to a function that gives what the part exports. */
const PARTS = [
  'clone',
  'collator',
  'date',
  'encoding',
  'exceptions',
  'list',
  'locales',
  'number',
  'relative',
  'url',
]

/** Names that the packages look for and must not find: of the host's world, and those that they are made to stand for. */
const ABSENT =
  'process Deno Bun Buffer window self global navigator require module exports ' +
  'URL URLSearchParams TextEncoder TextDecoder structuredClone DOMException'

const packageFile = (name, file) => readFileSync(join(dirname(require.resolve(name)), file), 'utf8')

/** What a file of data hands to `__addLocaleData` and `__addTZData`. */
function registered(source) {
  let data
  const take = given => {
    data = given.data ?? given
  }
  const format = { __addLocaleData: take, __addTZData: take }
  const names = ['NumberFormat', 'DateTimeFormat', 'ListFormat', 'RelativeTimeFormat']
  new Function('Intl', source)(Object.fromEntries(names.map(name => [name, format])))
  if (data === undefined) throw new Error('A file of locale data has another form than it had')
  return data
}

const latinOnly = byScript => ({ latn: byScript.latn })
const asJson = data => `export default JSON.parse(${JSON.stringify(JSON.stringify(data))})`

function numberData() {
  const data = registered(packageFile('@formatjs/intl-numberformat', 'locale-data/en.js'))
  const { symbols, decimal, percent, currency, ...rest } = data.numbers
  const numbers = {
    ...rest,
    aliases: {},
    symbols: latinOnly(symbols),
    decimal: latinOnly(decimal),
    percent: latinOnly(percent),
    currency: latinOnly(currency),
  }
  return { ...data, nu: ['latn'], numbers }
}

const LINKS = /var links_default = (\{[\s\S]*?\n\});/

const zonesOf = () => registered(packageFile('@formatjs/intl-datetimeformat', 'add-all-tz.js'))
const zoneNames = () =>
  registered(packageFile('@formatjs/intl-datetimeformat', 'locale-data/en.js')).timeZoneName

/** The zones that are others by another name. Those of fixed rules have no times of their own in the data, and some are none. */
function zoneLinks() {
  const [, links] = LINKS.exec(packageFile('@formatjs/intl-datetimeformat', 'index.js'))
  const real = Object.entries(JSON.parse(links)).filter(([zone]) => /^[A-Z]/.test(zone) && zone !== 'UTC')
  return { ...Object.fromEntries(real), ...BY_RULE }
}

/** A source with only those of them that have no name of their own, which their times are told by. */
function withFewerLinks(source) {
  const names = zoneNames()
  const kept = Object.entries(zoneLinks()).filter(([zone]) => names[zone] === undefined)
  const links = { ...Object.fromEntries(kept), UTC: 'Etc/UTC', 'Africa/Abidjan': 'Africa/Abidjan' }
  return source.replace(LINKS, () => `var links_default = ${JSON.stringify(links)};`)
}

const BY_RULE = {
  EST5EDT: 'America/New_York',
  CST6CDT: 'America/Chicago',
  MST7MDT: 'America/Denver',
  PST8PDT: 'America/Los_Angeles',
}
/** Zones that the data has no names for, and those whose they have. */
const NAMED_LIKE = [
  [/^America\/Argentina\//, 'America/Buenos_Aires'],
  [/^America\/Indiana\/(?:Knox|Tell_City)$|^America\/North_Dakota\//, 'America/Chicago'],
  [/^America\/Indiana\/|^America\/Kentucky\//, 'America/New_York'],
]
/** Zones that have left those whose names the data gives them. */
const NO_LONGER_NAMED = [
  'America/Punta_Arenas',
  'Antarctica/Palmer',
  'Africa/Casablanca',
  'Africa/El_Aaiun',
  'Asia/Amman',
  'Asia/Damascus',
  'Pacific/Bougainville',
]

function dateData() {
  // As V8 does: programs that take times apart expect the space that they type.
  const source = packageFile('@formatjs/intl-datetimeformat', 'locale-data/en.js')
  const data = registered(source.replace(/\\u202f/gi, ' '))
  const { gregory } = data.formats
  const times = Object.keys(gregory).filter(skeleton => /^[hHBm]/.test(skeleton))
  // Most of the file is every date with every time, a comma between; `date.js` puts together those that are asked for.
  const plain = formats =>
    Object.fromEntries(
      Object.entries(formats).filter(([skeleton]) => !times.some(time => skeleton.endsWith(`, ${time}`))),
    )
  // The names of summer that two zones do not share with their winter's.
  const { timeZoneName } = data
  timeZoneName['Europe/London'].long[1] = 'British Summer Time'
  // Its winter is what differs from its standard.
  timeZoneName['Europe/Dublin'] = {
    short: ['GMT+1', 'GMT'],
    long: ['Irish Standard Time', 'Greenwich Mean Time'],
  }
  for (const zone of NO_LONGER_NAMED) delete timeZoneName[zone]
  for (const [zone] of zonesOf().zones.map(line => line.split('|'))) {
    const like = NAMED_LIKE.find(([pattern]) => pattern.test(zone))?.[1]
    if (like !== undefined) timeZoneName[zone] ??= timeZoneName[like]
  }
  for (const [before, now] of Object.entries(zoneLinks())) timeZoneName[now] ??= timeZoneName[before]
  return {
    ...data,
    nu: ['latn'],
    ca: ['gregory'],
    // As runtimes have it.
    formats: { gregory: { ...plain(gregory), Hv: "HH'h' v" } },
    intervalFormats: plain(data.intervalFormats),
    // The connecting word of English, which the file leaves out.
    dateTimeFormat: { ...data.dateTimeFormat, full: "{1} 'at' {0}", long: "{1} 'at' {0}" },
  }
}

/** Numbers texts in the order in which they come, as so many digits of base 36. */
function numbering(width) {
  const texts = []
  const numbers = new Map()
  const numberOf = text => {
    if (!numbers.has(text)) numbers.set(text, texts.push(text) - 1)
    return numbers.get(text).toString(36).padStart(width, '0')
  }
  return { texts, numberOf }
}

/**
 * Two lines of what occurs again and again: seconds from change to change, and offsets, with `!` in summer. Then each zone in
 * a line: its name and its changes, three digits and two, without those that change nothing; or the name of the zone that it
 * is the same as. See `zones.js`.
 */
function zonesText() {
  const { zones, offsets } = zonesOf()
  const seconds = offsets.split('|').map(text => parseInt(text, 36))
  const distances = numbering(3)
  const states = numbering(2)
  const nameOf = new Map()
  const lines = zones.map(zone => {
    const [name, ...changes] = zone.split('|')
    let line = ''
    let last = 0
    let before = ''
    for (const change of changes) {
      const [time, , offset, isSummer] = change.split(',')
      const at = time === '' ? 0 : parseInt(time, 36)
      const state = `${seconds[Number(offset)].toString(36)}${isSummer === '1' ? '!' : ''}`
      if (state === before || Number.isNaN(at)) continue
      line += distances.numberOf((at - last).toString(36)) + states.numberOf(state)
      last = at
      before = state
    }
    if (nameOf.has(line)) return `${name}=${nameOf.get(line)}`
    nameOf.set(line, name)
    return `${name}|${line}`
  })
  const known = new Set(zones.map(zone => zone.split('|')[0]))
  const names = zoneNames()
  const named = Object.entries(zoneLinks())
    .filter(([zone, same]) => names[zone] !== undefined && !known.has(zone) && known.has(same))
    .map(([zone, same]) => `${zone}=${same}`)
  return [distances.texts.join(' '), states.texts.join(' '), ...lines, ...named].join('\n')
}

const DATA = {
  number: () => asJson(numberData()),
  date: () => asJson(dateData()),
  list: () => asJson(registered(packageFile('@formatjs/intl-listformat', 'locale-data/en.js'))),
  relative: () => asJson(registered(packageFile('@formatjs/intl-relativetimeformat', 'locale-data/en.js'))),
  // Its rules are a function.
  plural: () => `let data
const Intl = { PluralRules: { __addLocaleData(given) { data = given.data } } }
${packageFile('@formatjs/intl-pluralrules', 'locale-data/en.js')}
export default data`,
}

const resolving = part => ({
  name: 'toolgate',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^data:/ }, ({ path }) => ({ path: path.slice(5), namespace: 'data' }))
    onLoad({ filter: /.*/, namespace: 'data' }, ({ path }) => ({ contents: DATA[path](), loader: 'js' }))
    onLoad({ filter: /@formatjs[\\/][a-z-]+[\\/]index\.js$/ }, ({ path }) => {
      const name = basename(dirname(path))
      const contents = patchPackage(name, readFileSync(path, 'utf8'))
      return { contents: name === 'intl-datetimeformat' ? withFewerLinks(contents) : contents, loader: 'js' }
    })
    if (part === 'url')
      onLoad(
        { filter: /core-js-pure[\\/].*[\\/](?:to-string|web\.url-search-params\.constructor)\.js$/ },
        ({ path }) => ({
          contents: patchPackage(basename(path, '.js'), readFileSync(path, 'utf8')),
          loader: 'js',
        }),
      )
    if (part === 'clone')
      onResolve({ filter: /\/(?:(?:map|set)-helpers|es\.(?:map|set))$/ }, ({ path }) => ({
        path: path.includes('helpers') ? `${basename(path, '-helpers')} of the language` : '',
        namespace: 'language',
      }))
    onLoad({ filter: /.*/, namespace: 'language' }, ({ path }) => ({
      contents: path === '' ? '' : `module.exports = require('./collections.js').${path.split(' ')[0]}`,
      resolveDir: here,
    }))
    onResolve({ filter: /\/internal-state$/ }, () => ({ path: join(here, 'internal-state.js') }))
    onResolve({ filter: /^@formatjs\/intl-localematcher$/ }, () => ({ path: join(here, 'locales.js') }))
  },
})

/** Regular expressions keep the characters that they are written with. */
const ascii = code =>
  code.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

async function bundle(name) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(here, `${name}.js`)],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    lineLimit: 100,
    charset: 'ascii',
    format: 'iife',
    globalName: 'part',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2023',
    legalComments: 'none',
    inject: name === 'date' ? [join(here, 'date-intl.js')] : [],
    plugins: [resolving(name)],
  })
  const packages = Object.keys(metafile.inputs).flatMap(
    file => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
  )
  const text = `(function(globalThis,Intl,zones,${ABSENT.replaceAll(' ', ',')}){${ascii(outputFiles[0].text)}return part})`
  return { text, packages }
}

/** The parts, and the packages that they are made of. */
export async function polyfills() {
  const made = await Promise.all(PARTS.map(bundle))
  const texts = Object.fromEntries(PARTS.map((name, i) => [name, made[i].text]))
  texts.zones = `(function(){return ${JSON.stringify(zonesText())}})`
  for (const [name, text] of Object.entries(texts))
    if (/[^\x01-\x7f]/.test(text)) throw new Error(`The part ${name} is not ASCII`)
  return { texts, packages: [...new Set(made.flatMap(({ packages }) => packages))].sort() }
}

/** What the parts depend on. */
export function polyfillInputs(root) {
  const stubs = readdirSync(here).map(name => readFileSync(join(here, name)))
  return [...stubs, readFileSync(join(root, 'package-lock.json'))]
}
