// The rule of docs/dependencies.md: every package is explained there and has an exact version.

export type Package = {
  readonly path: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** The packages listed in the tables of docs/dependencies.md, by heading. */
function listed(doc: string, headings: readonly string[]): string[] {
  const sections = doc.split(/^## /m).filter((part) => headings.some((heading) => part.startsWith(heading)))
  const section = sections.join('\n')
  return [...section.matchAll(/^\|\s*`([^`]+)`\s*\|/gm)].map((match) => match[1] ?? '')
}

export function dependencyComplaints(packages: readonly Package[], doc: string): string[] {
  const compare = (kind: 'dependencies' | 'devDependencies', ...headings: string[]): string[] => {
    const used = new Set(
      packages.flatMap((one) => Object.keys(one[kind] ?? {})).filter((name) => !name.startsWith('@kontor/')),
    )
    const documented = new Set(listed(doc, headings))
    return [
      ...[...used.difference(documented)].map((name) => `${name} is not listed under "${headings[0]}"`),
      ...[...documented.difference(used)].map((name) => `${name} is listed under "${headings[0]}" and not used`),
    ]
  }
  const ranges = packages.flatMap(({ path, dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies })
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${path} takes ${name} at ${version}, which is no exact version`),
  )
  return [
    ...compare('dependencies', 'At run time', 'In the screens', 'In the demo'),
    ...compare('devDependencies', 'For development'),
    ...ranges,
  ]
}
