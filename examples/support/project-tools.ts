// Tools over a folder: list, read, search and edit files. Paths are relative to the folder and cannot leave it.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { defineTool, type ToolDefinition, ToolgateError } from 'toolgate'

const MAX_READ_BYTES = 256 * 1024
// What nobody wrote.
const NOT_SOURCES = new Set(['node_modules', 'dist', 'generated'])

async function listTree(root: string, dir: string): Promise<string[]> {
  const entries = await readdir(join(root, dir), { withFileTypes: true })
  const nested = entries
    .filter(entry => !NOT_SOURCES.has(entry.name) && !entry.name.startsWith('.'))
    .map(async entry => {
      const path = join(dir, entry.name)
      return entry.isDirectory() ? listTree(root, path) : [path.split(sep).join('/')]
    })
  return (await Promise.all(nested)).flat().sort()
}

/** The tools of one folder. */
export function projectTools(root: string): ToolDefinition[] {
  const inside = (path: string): string => {
    const full = resolve(root, path)
    const away = relative(root, full)
    if (away === '..' || away.startsWith(`..${sep}`) || resolve(away) === away)
      throw new ToolgateError('OUTSIDE_PROJECT', `"${path}" is outside the project`)
    return full
  }
  const read = async (path: string): Promise<string> => {
    const full = inside(path)
    const info = await stat(full).catch(() => undefined)
    if (info?.isFile() !== true) throw new ToolgateError('NO_SUCH_FILE', `There is no file "${path}"`)
    if (info.size > MAX_READ_BYTES)
      throw new ToolgateError('FILE_TOO_LARGE', `"${path}" is larger than ${MAX_READ_BYTES} bytes`)
    return readFile(full, 'utf8')
  }

  const listFiles = defineTool({
    name: 'list_files',
    description: 'Lists the files of a folder and everything under it.',
    parameters: { dir: { type: 'string', required: true, description: 'Folder, "." for the project' } },
    output: {
      schema: { type: 'array', items: { type: 'string' } },
      render: (_args, paths) => [{ type: 'text', text: paths.join('\n') }],
    },
    isConcurrencySafe: () => true,
    presentCall: ({ dir }) => ({ card: 'generic', kind: 'search', title: `List ${dir}` }),
    execute: async ({ dir }) => listTree(root, relative(root, inside(dir))),
  })

  const readOne = defineTool({
    name: 'read_file',
    description: 'Reads a text file.',
    parameters: { path: { type: 'string', required: true } },
    output: {
      schema: { type: 'string' },
      render: (_args, text) => [{ type: 'text', text }],
    },
    isConcurrencySafe: () => true,
    presentCall: ({ path }) => ({
      card: 'generic',
      kind: 'read',
      title: `Read ${path}`,
      locations: [{ path }],
    }),
    presentResult: ({ path }, { content, isError }) => {
      const [block] = content
      if (isError || block?.type !== 'text') return undefined
      const lines = block.text.split('\n')
      return { card: 'read', path, lines: lines.slice(0, 3), totalLines: lines.length }
    },
    execute: ({ path }) => read(path),
  })

  const searchFiles = defineTool({
    name: 'search_files',
    description:
      'Finds the files under a folder whose text contains a string, with the number of lines that do.',
    parameters: {
      text: { type: 'string', required: true },
      dir: { type: 'string', required: true, description: 'Folder, "." for the project' },
    },
    output: {
      schema: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          properties: {
            path: { type: 'string', required: true },
            lines: { type: 'integer', required: true },
          },
        },
      },
      render: (_args, found) => [{ type: 'text', text: found.map(f => `${f.path}: ${f.lines}`).join('\n') }],
    },
    isConcurrencySafe: () => true,
    presentCall: ({ text, dir }) => ({
      card: 'generic',
      kind: 'search',
      title: `Search ${dir} for "${text}"`,
    }),
    presentResult: (_args, { content, isError }) => {
      const [block] = content
      if (isError || block?.type !== 'text') return undefined
      const paths = block.text.split('\n').filter(line => line !== '')
      return { card: 'search', shape: 'paths', paths, truncated: false, total: paths.length }
    },
    execute: async ({ text, dir }, { progress, signal }) => {
      const paths = await listTree(root, relative(root, inside(dir)))
      const found: { path: string; lines: number }[] = []
      for (const [i, path] of paths.entries()) {
        signal.throwIfAborted()
        progress({ message: path, completed: i + 1, total: paths.length })
        const lines = (await readFile(join(root, path), 'utf8'))
          .split('\n')
          .filter(line => line.includes(text)).length
        if (lines > 0) found.push({ path, lines })
      }
      return found
    },
  })

  const editFile = defineTool({
    name: 'edit_file',
    description: 'Writes a whole text file, new or not. The user is asked first.',
    annotations: { destructiveHint: true, idempotentHint: true },
    parameters: { path: { type: 'string', required: true }, text: { type: 'string', required: true } },
    presentCall: ({ path, text }) => ({
      card: 'diff',
      title: `Write ${path}`,
      diffs: [{ path, oldText: null, newText: text }],
    }),
    resourceKeys: ({ path }) => [inside(path)],
    execute: async ({ path, text }) => {
      await writeFile(inside(path), text)
      return `Wrote ${path}, ${text.split('\n').length} lines`
    },
  })

  return [listFiles, readOne, searchFiles, editFile]
}
