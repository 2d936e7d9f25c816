// Generates the page of all settings, docs/guides/configuration.md.

import type { Variable } from '../platform/process/environment.ts'

export function configurationPage(variables: readonly Variable[]): string {
  const rows = variables.map(({ name, about, values = 'any text', unset, fileName }) => {
    const names = [name, fileName].filter((one) => one !== undefined).map((one) => `\`${one}\``)
    return `| ${names.join(' or ')} | ${about} | ${values} | ${unset === undefined ? '' : `\`${unset}\``} |`
  })
  return `# Configuration

Kontor is configured by environment variables. Only \`DATABASE_URL\` is required. This page is generated from the code; \`kontor serve --help\` prints
the same list, and [operators.md](operators.md#configuration) explains which settings matter first.

| variable | meaning | value | default |
| --- | --- | --- | --- |
${rows.join('\n')}

A variable that is empty counts as not set.

## Secrets in files

A secret can be read from a file, which does not appear in the environment of the process: \`DATABASE_URL_FILE\` names a file that contains what
\`DATABASE_URL\` would. Container platforms and systemd (\`LoadCredential=\`) provide secrets this way. Spaces and line breaks around the secret are ignored; setting both variables is an error.

## Checking it

\`kontor config check\` prints every setting with its value and where it comes from, with passwords hidden. If something is wrong, it prints all problems
and exits with 1. The other commands refuse the same mistakes:

- a value that is not of the kind in the table;
- a variable whose name begins with \`KONTOR_\`: no setting does. Those that Kubernetes sets for a service called \`kontor\` are ignored.

A variable with a name similar to that of a setting, such as \`DATABASE_CONECTIONS\`, is reported as a warning at start.
`
}
