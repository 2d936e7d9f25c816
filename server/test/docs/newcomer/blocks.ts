// The blocks of a document that show commands, and the commands in them.

export type Block = { readonly language: string; readonly text: string }

const commandLanguages = ['sh', 'console']

export function blocksOf(document: string): Block[] {
  return [...document.matchAll(/^(`{3,})([^\n`]*)\n([\s\S]*?)^\1$/gm)].map(([, , language = '', text = '']) => ({
    language: language.trim(),
    text,
  }))
}

/** The shell blocks, without prompts and trailing comments. */
export function shellBlocks(document: string): string[] {
  return blocksOf(document)
    .filter(({ language }) => commandLanguages.includes(language))
    .map(({ language, text }) => (language === 'console' ? typedAt(text) : text).replace(/ {2,}# .*$/gm, ''))
}

function typedAt(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n')
  const odd = lines.find((line) => !line.startsWith('$ '))
  if (odd !== undefined) throw new Error(`a console block contains only commands, each after "$ ": ${odd}`)
  return lines.map((line) => `${line.slice(2)}\n`).join('')
}

/** The first lines of commands; the continuation lines of a command belong to its first line. */
export function commandsIn(block: string): string[] {
  const commands: string[] = []
  let open = ''
  for (const line of block.replace(/\n$/, '').split('\n')) {
    open = open === '' ? line : `${open}\n${line}`
    const quotes = open.replace(/\\'/g, '').split("'").length - 1
    if (line.endsWith('\\') || quotes % 2 === 1) continue
    if (open.trim() !== '') commands.push(open.trim())
    open = ''
  }
  return open.trim() === '' ? commands : [...commands, open.trim()]
}

const commandWord = /^(?:\$ |(?:npm|npx|node|curl|psql|pg_dump|pg_restore|git|sudo|apt|apt-get|docker|export) )/m

/** Blocks that show commands without being marked as such: no test would run them. */
export const unmarkedBlocks = (document: string): string[] =>
  blocksOf(document)
    .filter(({ language }) => !commandLanguages.includes(language) && language !== 'ts' && language !== 'tsx')
    .map(({ text }) => text)
    .filter((text) => commandWord.test(text))
