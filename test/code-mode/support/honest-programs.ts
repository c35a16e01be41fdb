/** Programs as models write them, each right in its own way, and what they return with `honestTools`. */
export const HONEST_PROGRAMS: readonly (readonly [program: string, value: unknown])[] = [
  // Errors.
  [
    'try { await tools.fail({}) } catch (e) { if (e instanceof Error) return [e.message, e.code, e.toolName] }',
    ['x', 'TOOL_FAILED', 'fail'],
  ],
  ['try { await tools.fail({}) } catch (e: unknown) { return (e as Error).code }', 'TOOL_FAILED'],
  ['try { await tools.fail({}) } catch (e) { const err = e as Error; return err.toolName }', 'fail'],
  ['return await tools.fail({}).catch((e: Error) => e.code)', 'TOOL_FAILED'],
  ['try { await tools.fail({}) } catch (e) { if (e instanceof ToolCallError) return e.code }', 'TOOL_FAILED'],
  [
    'try { await tools.fail({}) } catch (e) { if (e instanceof ToolCallError && e.retryable) return 1; return 2 }',
    2,
  ],
  [
    'try { await tools.fail({}) } catch (e) { const { code, details } = e as Error & { code: string }; return [code, typeof details] }',
    ['TOOL_FAILED', 'undefined'],
  ],
  ['const e = new Error("x"); e.code = "Y"; return e.code', 'Y'],
  ['const e = new TypeError("x"); return e.code ?? e.name', 'TypeError'],
  [
    'class Stop extends Error { constructor(public reason: string) { super(reason) } }\ntry { throw new Stop("z") } catch (e) { return e.reason }',
    'z',
  ],
  ['return Error.captureStackTrace ? "has" : "has"', 'has'],
  [
    'const r = await Promise.allSettled([tools.fail({}), tools.open({})]); return r.map(x => x.status === "fulfilled" ? x.value : x.reason.code)',
    ['TOOL_FAILED', 'o'],
  ],
  [
    'const r = await Promise.allSettled([tools.fail({}), tools.open({})]); return r.map(x => x.value ?? x.reason.message)',
    ['x', 'o'],
  ],
  [
    'const r = await Promise.allSettled([tools.open({})]); const ok = r.filter(x => x.status === "fulfilled"); return ok.map(x => x.value.length)',
    [1],
  ],
  [
    'async function attempt(n) { for (let i = 0; ; i++) { try { return await tools.fail({}) } catch (err) { if (i >= n) return err.code + i } } }\nreturn await attempt(2)',
    'TOOL_FAILED2',
  ],
  [
    'let last: Error | undefined; for (let i = 0; i < 2; i++) { try { await tools.fail({}); break } catch (e) { last = e as Error } } return last?.code ?? last?.message',
    'TOOL_FAILED',
  ],
  // Promises that are kept for later.
  [
    'const memo: Record<string, Promise<string>> = {}; const f = (k: string) => { if (!memo[k]) memo[k] = tools.echo({ text: k }); return memo[k] }; return [await f("a"), await f("a")]',
    ['a', 'a'],
  ],
  [
    'const memo = {}; const f = (k) => { if (!memo[k]) memo[k] = tools.echo({ text: k }); return memo[k] }; return await f("a")',
    'a',
  ],
  [
    'const memo = new Map<string, Promise<string>>(); const f = (k: string) => { if (!memo.get(k)!) memo.set(k, tools.echo({ text: k })); return memo.get(k)! }; return await f("a")',
    'a',
  ],
  [
    'const memo = new Map<string, Promise<string>>(); const f = (k: string) => { const known = memo.get(k)!; if (!known) memo.set(k, tools.echo({ text: k })); return memo.get(k)! }; return await f("a")',
    'a',
  ],
  [
    'const memo: Promise<string>[] = []; const at = (i: number): Promise<string> => memo[i]; if (!at(0)) memo.push(tools.echo({ text: "k" })); return await at(0)',
    'k',
  ],
  [
    'const ps: Promise<string>[] = []; if (!ps[0]) ps[0] = tools.echo({ text: "k" }); return await ps[0]',
    'k',
  ],
  [
    'const ps: Promise<string>[] = []; if (ps[0]) return 1; ps.push(tools.echo({ text: "k" })); return await ps[0]',
    'k',
  ],
  ['let p: Promise<string> = null as any; if (!p) p = tools.echo({ text: "k" }); return await p', 'k'],
  [
    'let p!: Promise<string>; const get = () => { if (!p) p = tools.echo({ text: "k" }); return p }; return await get()',
    'k',
  ],
  [
    'class Q { p!: Promise<string>; get() { if (!this.p) this.p = tools.echo({ text: "q" }); return this.p } }\nreturn await new Q().get()',
    'q',
  ],
  ['const p = tools.open({}); if (!p) throw new Error("none"); return await p', 'o'],
  ['const p = tools.open({}); if (p) console.log("begun"); return await p', 'o'],
  ['const p = tools.open({}); return p ? await p : 0', 'o'],
  [
    'let rows = [1, 2].map(id => tools.get({ id })); rows = await Promise.all(rows); return rows.map(r => r.name)',
    ['n1', 'n2'],
  ],
  ['let r = tools.get({ id: 1 }); r = await r; return r.name', 'n1'],
  ['let n = tools.echo({ text: "1" }); n = await n; return n * 2', 2],
  [
    'let all = tools.list(); all = await all; const ids = []; for (const row of all) ids.push(row.id); return ids',
    [1, 2],
  ],
  [
    'const ps = [1, 2].map(id => tools.get({ id })); for (let i = 0; i < ps.length; i++) ps[i] = await ps[i]; return ps[1].name',
    'n2',
  ],
  ['const p = tools.open({}); p.label = "first"; return [p.label, await p]', ['first', 'o']],
  // The program's own functions and objects.
  [
    'const fmt = (n: number, unit: string) => n + (unit ?? ""); return await tools.echo({ text: fmt(5) + "" })',
    '5',
  ],
  [
    'function up(s: number) { return String(s).toUpperCase() }\nreturn await tools.echo({ text: up("x") })',
    'X',
  ],
  ['function f(a: string) { return a }\nreturn await tools.echo({ text: f("a", 2) })', 'a'],
  [
    'const xs = await Promise.all([1, 2].map(id => tools.get({ id }))); return await tools.echo({ text: xs.map((x: { id: string }) => x.id).join() })',
    '1,2',
  ],
  [
    'interface Row { a: number; b: string }\nconst rows: Row[] = []; return await tools.echo({ text: JSON.stringify(rows.concat({ a: 1 })) })',
    '[{"a":1}]',
  ],
  ['const catalog = { add(n: number) { return String(n) } }; return catalog.add("x")', 'x'],
  ['const api = (tools => ({ get: tools }))({ id: 1 }); return api.get.id', 1],
  ['{ const tools = { get: (n: number) => n }; return tools.get("x") }', 'x'],
  ['function load(id: string) { return tools.get({ id }) }\nreturn (await load(1)).name', 'n1'],
  [
    'async function load(id: string): Promise<{ name: string; extra?: number }> { return await tools.get({ id: Number(id) }) }\nreturn (await load("1")).extra ?? 0',
    0,
  ],
  ['function show(x: string) { return x.name }\nreturn show(await tools.get({ id: 1 }))', 'n1'],
  ['function first<T>(xs: T[]): T { return xs[0] }\nreturn first(await tools.list()).id', 1],
  [
    'const pick = (o, ...keys) => Object.fromEntries(keys.map(k => [k, o[k]])); return pick(await tools.get({ id: 1 }), "name")',
    { name: 'n1' },
  ],
  ['enum Mode { A = "a", B = "b" }\nreturn (await tools.get({ id: 1, mode: Mode.A })).id', 1],
  [
    'class Api { private cache = new Map<number, { name: string }>()\n async name(id: number) { if (!this.cache.has(id)) this.cache.set(id, await tools.get({ id })); return this.cache.get(id)!.name } }\nreturn await new Api().name(1)',
    'n1',
  ],
  [
    'const isRow = (x: unknown): x is { id: number } => typeof x === "object" && x !== null && "id" in x; const r: unknown = await tools.get({ id: 1 }); return isRow(r) ? r.id : 0',
    1,
  ],
  [
    'type Row = Awaited<ReturnType<typeof tools.get>>; const rows: Row[] = []; rows.push({ id: 1, name: "a", score: 5 }); return rows[0].score',
    5,
  ],
  ['let best = await tools.get({ id: 1 }); best = { ...best, score: 2 }; return best.score', 2],
  ['const state = { user: "" }; state.user = await tools.get({ id: 1 }); return state.user.name', 'n1'],
  [
    'const table = [["id"]]; for (const r of await tools.list()) table.push([r.id]); return table[1][0].toFixed(1)',
    '1.0',
  ],
  ['const names: string[] = []; names.push(await tools.get({ id: 1 })); return names[0].name', 'n1'],
  // Arguments that tools take.
  [
    'const out = []; for (const mode of ["a", "b"]) out.push((await tools.get({ id: 1, mode })).id); return out',
    [1, 1],
  ],
  ['let mode = "a"; return (await tools.get({ id: 1, mode })).id', 1],
  ['const args = { id: 1, mode: "a" }; return (await tools.get(args)).id', 1],
  ['const x: Record<string, unknown> = { id: 1 }; return (await tools.get(x)).id', 1],
  [
    'const jobs = [{ id: 1, mode: "a" }, { id: 2, mode: "b" }]; return (await Promise.all(jobs.map(j => tools.get(j)))).length',
    2,
  ],
  ['const args = {}; args.id = 1; return (await tools.get(args)).id', 1],
  ['const args: { id?: number } = {}; args.id = 3; return (await tools.get(args)).id', 3],
  ['const args = { id: "4" }; args.id = Number(args.id); return (await tools.get(args)).id', 4],
  [
    'const build = (id: number, extra?: object) => ({ id, ...extra }); return (await tools.get(build(1, { opt: "x" }))).id',
    1,
  ],
  ['const r = await tools.get({ id: 1, opt: "t" }); return await tools.echo({ text: r.tag })', 't'],
  ['const m = "5".match(/\\d/); return (await tools.get({ id: Number(m[0]) })).id', 5],
  ['const id = JSON.parse("1"); return (await tools.get({ id })).id', 1],
  [
    'const ids = new Set([1, 2]); return (await Promise.all([...ids].map(id => tools.get({ id })))).length',
    2,
  ],
  [
    'const queue = [1, 2]; const out = []; while (queue.length) out.push((await tools.get({ id: queue.shift() })).id); return out',
    [1, 2],
  ],
  [
    'interface Note { title: string; tags?: string[] }\nconst note: Note = { title: "t" }; return await tools.save({ note })',
    '{"title":"t"}',
  ],
  [
    'const note = { title: "t", done: false, at: null }; return await tools.save({ note })',
    '{"title":"t","done":false,"at":null}',
  ],
  ['return await tools.open(null)', 'o'],
  ['return (await catalog.search("get", 1))[0].name', 'get'],
  ['return (await catalog.search("get", { limit: "1" }))[0].name', 'get'],
  ['return (await catalog.search("get", { limit: 1 }, true)).length', 1],
  // Members that are there, or are asked for.
  ['String.prototype.shout = function () { return this.toUpperCase() }; return "a".shout()', 'A'],
  ['(Array.prototype as any).last = function () { return this[this.length - 1] }; return [1, 2].last()', 2],
  ['Object.defineProperty(Array.prototype, "second", { get() { return this[1] } }); return [1, 2].second', 2],
  ['Object.assign(String.prototype, { yell() { return this + "!" } }); return "a".yell()', 'a!'],
  ['const proto = Object.getPrototypeOf([]); proto.total = 3; return [].total', 3],
  ['const m = new Map(); m.foo = 1; return m.foo', 1],
  ['return Math.sumPrecise?.([1]) ?? 1', 1],
  ['return new Date("2020").getYear()', 120],
  ['const r = await tools.get({ id: 1 }); return r.foo ?? "none"', 'none'],
  ['const r = await tools.get({ id: 1 }); return r.foo || r.bar || "none"', 'none'],
  ['const r = await tools.get({ id: 1 }); return r.foo?.bar ?? "none"', 'none'],
  ['const r = await tools.get({ id: 1 }); if (r.foo) return r.foo.bar; return "none"', 'none'],
  ['const r = await tools.get({ id: 1 }); return r.items ? r.items.map(i => i.id) : [r.id]', [1]],
  [
    'const r = await tools.get({ id: 1 }); return Array.isArray(r.items) ? r.items : [r]',
    [{ id: 1, name: 'n1' }],
  ],
  ['const r = await tools.get({ id: 1 }); return typeof r.size === "number" ? r.size : -1', -1],
  ['const r = await tools.get({ id: 1 }); return r.error === undefined && r.error == null && !r.error', true],
  ['const { id, missing } = await tools.get({ id: 1 }); return missing ?? id', 1],
  ['const { id, missing = id } = await tools.get({ id: 1 }); return missing', 1],
  ['const r = await tools.get({ id: 1 }); return Object.hasOwn(r, "foo") ? r.foo : 0', 0],
  ['const r = await tools.get({ id: 1 }); return "foo" in r ? r.foo : 0', 0],
  ['const or = (a, b) => a ?? b; const r = await tools.get({ id: 1 }); return or(r.title, r.name)', 'n1'],
  [
    'let cursor; const ids = []; do { const page = await tools.page(cursor ? { cursor } : {}); ids.push(...page.items.map(i => i.id)); cursor = page.next_cursor } while (cursor); return ids',
    [1],
  ],
  [
    'const ids = []; let page = await tools.page({}); ids.push(page.items.length); while (page.next) { page = await tools.page({ cursor: page.next }); ids.push(page.items.length) } return ids',
    [1, 1],
  ],
  [
    'const rows = await tools.list(); for (const r of rows) r.double = r.id * 2; return rows.map(r => r.double).sort((a, b) => b - a)',
    [4, 2],
  ],
  [
    'const rows = await tools.list(); rows.forEach((r, i) => Object.assign(r, { rank: i })); return rows.map(r => r.rank)',
    [0, 1],
  ],
  [
    'const rows = await tools.list(); for (const r of rows) { for (const k of ["x"]) r[k] = r.id } return rows[0].x',
    1,
  ],
  ['const r = await tools.get({ id: 1 }); r.posts = await tools.list(); return r.posts.length', 2],
  [
    'const tag = (o: any, k: string) => { o[k] = true; return o }; const r = await tools.get({ id: 1 }); tag(r, "seen"); return r.seen',
    true,
  ],
  ['let data = await tools.json({}); data = JSON.parse(data); return data.items.length', 1],
  [
    'let data = await tools.json({}); if (typeof data === "string") data = JSON.parse(data); return data.items[0].id',
    1,
  ],
  [
    'let data = await tools.json({}); try { data = JSON.parse(data) } catch {} const { items } = data; return items.map(i => i.id)',
    [1],
  ],
  [
    'const raw = await tools.json({}); const data = typeof raw === "string" ? JSON.parse(raw) : raw; return data.items.length',
    1,
  ],
  [
    'const r = await tools.get({ id: 1 }); r.name = r.name.split(""); return r.name.map(c => c + c)',
    ['nn', '11'],
  ],
  [
    'const r = await tools.get({ id: 1 }); r.name = JSON.parse("{\\"first\\":\\"n\\"}"); const { name } = r; return name.first',
    'n',
  ],
  ['const f = Object.assign(() => 1, { kind: "f" }); return f.kind + f()', 'f1'],
  ['const f = () => {}; f.count = 1; return f.count', 1],
  ['const xs = [3, 1]; xs.total = 4; return xs.total', 4],
  // What models write all day.
  [
    'const groups = (await tools.list()).reduce((acc, r) => { (acc[r.id % 2 ? "odd" : "even"] ||= []).push(r.id); return acc }, {} as Record<string, number[]>); return groups',
    { odd: [1], even: [2] },
  ],
  [
    'const by = Object.groupBy(await tools.list(), r => r.id % 2 ? "odd" : "even"); return Object.keys(by).map(k => by[k].length)',
    [1, 1],
  ],
  [
    'const counts = new Map(); for (const r of await tools.list()) counts.set(r.id, (counts.get(r.id) || 0) + 1); return [...counts.entries()].map(([k, v]) => ({ k, v }))',
    [
      { k: 1, v: 1 },
      { k: 2, v: 1 },
    ],
  ],
  ['const byId = Object.fromEntries((await tools.list()).map(r => [r.id, r])); return byId[2].id', 2],
  [
    'const rows = await tools.list(); const top = rows.toSorted((a, b) => b.id - a.id)[0]; return top?.id ?? null',
    2,
  ],
  ['const name = ["open"][0]; return await tools[name]({})', 'o'],
  ['const { open } = tools; return await open({})', 'o'],
  ['const call = (name, args) => tools[name](args); return await call("echo", { text: "z" })', 'z'],
  [
    'const steps = [() => tools.open({}), () => tools.echo({ text: "b" })]; const out = []; for (const step of steps) out.push(await step()); return out',
    ['o', 'b'],
  ],
  [
    'const chunk = (xs, n) => xs.length ? [xs.slice(0, n), ...chunk(xs.slice(n), n)] : []; const out = []; for (const ids of chunk([1, 2, 3], 2)) out.push(...await Promise.all(ids.map(id => tools.get({ id })))); return out.map(r => r.id)',
    [1, 2, 3],
  ],
  [
    'const withTimeout = <T>(p: Promise<T>, ms: number): Promise<T> => Promise.race([p, new Promise<never>((_, no) => setTimeout(() => no(new Error("late")), ms))]); return await withTimeout(tools.open({}), 5000)',
    'o',
  ],
  [
    'const results: { id: number; ok: boolean; error?: string }[] = []; for (const id of [1]) { try { await tools.fail({}); results.push({ id, ok: true }) } catch (e: any) { results.push({ id, ok: false, error: e?.message ?? String(e) }) } } return results',
    [{ id: 1, ok: false, error: 'x' }],
  ],
  [
    'const total = (await tools.list()).map(r => r.id).reduce((a, b) => a + b); return `sum ${total.toFixed(1)}`',
    'sum 3.0',
  ],
  [
    'let found = null; for (const r of await tools.list()) if (r.id === 2) { found = r; break } return found ? found.id : null',
    2,
  ],
  ['let found; (await tools.list()).forEach(r => { if (r.id === 2) found = r }); return found.id', 2],
  [
    'let found: { id: number } | null = null; (await tools.list()).forEach(r => { if (r.id === 2) found = r }); return found.id',
    2,
  ],
  [
    'const seen = {}; const fresh = (await tools.list()).filter(r => !seen[r.id] && (seen[r.id] = true)); return fresh.length',
    2,
  ],
  [
    'const text = await tools.open({}); const [first, ...rest] = text.split("\\n"); return { first, rest: rest.length }',
    { first: 'o', rest: 0 },
  ],
  [
    'const r = await tools.get({ id: 1 }); const { name: title, ...others } = r; return { title, others }',
    { title: 'n1', others: { id: 1 } },
  ],
  [
    'const rows = (await tools.list()).map(r => ({ ...r, label: `#${r.id}` })); return rows.find(r => r.label === "#2")?.label',
    '#2',
  ],
  [
    'const tree = { value: 1, children: [] }; tree.children.push({ value: 2, children: [] }); const sum = n => n.value + n.children.reduce((s, c) => s + sum(c), 0); return sum(tree)',
    3,
  ],
  [
    'const pad = (s, n) => String(s).padStart(n); return (await tools.list()).map(r => pad(r.id, 2)).join("|")',
    ' 1| 2',
  ],
  [
    'const maybe = Math.random() > 2 ? await tools.get({ id: 1 }) : undefined; return maybe?.name ?? "no"',
    'no',
  ],
  [
    'function* ids() { yield 1; yield 2 }\nconst out = []; for (const id of ids()) out.push((await tools.get({ id })).name); return out',
    ['n1', 'n2'],
  ],
  ['const later = new Promise(r => setTimeout(() => r({ ok: true }), 1)); return (await later).ok', true],
  ['const r = await new Promise(res => res({ a: 1 })); return r.a', 1],
  ['return (await tools.get({ id: 1 })).name["length"]', 2],
  ['const key = "name"; const r = await tools.get({ id: 1 }); return r[key]', 'n1'],
  [
    'const fields = ["id", "name", "tag"]; const r = await tools.get({ id: 1 }); return fields.map(f => r[f] ?? null)',
    [1, 'n1', null],
  ],
]
