// Generates docs/kontor.postman_collection.json: every method with its example, for Postman, Bruno and other tools that import this format.

import type { Method } from '../kernel/method.ts'
import type { ClientOptions } from './client-methods.ts'
import { bySection } from './json-schema.ts'

const variable = (key: string, value: string): object => ({ key, value, type: 'string' })
const header = (key: string, value: string): object => ({ key, value, type: 'text' })

export function collection(methods: readonly Method[], { methodPath }: ClientOptions): object {
  const request = (method: Method): object => ({
    name: method.path.split('/').slice(1).join('/'),
    request: {
      method: 'POST',
      description: [method.summary, ...(method.notes ?? [])].join('\n\n'),
      header: [
        header('Authorization', '{{apiKey}}'),
        header('Content-Type', 'application/json'),
        // A new key for every request: with a fixed one, the second write would repeat the response to the first.
        ...(method.kind === 'write'
          ? [header('Idempotency-Key', '{{$guid}}'), header('Kontor-Dry-Run', '{{dryRun}}')]
          : []),
      ],
      url: {
        raw: `{{baseUrl}}${methodPath(method.path)}`,
        host: ['{{baseUrl}}'],
        path: methodPath(method.path).split('/').slice(1),
      },
      body: {
        mode: 'raw',
        raw: JSON.stringify(method.example.request, null, 2),
        options: { raw: { language: 'json' } },
      },
    },
    response: [],
  })
  return {
    info: {
      name: 'Kontor',
      description:
        'Set the variables baseUrl and apiKey. Every method is a POST with a JSON object. Nothing is stored while the variable dryRun is true: writes are dry runs. Set it to false to change data.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [variable('baseUrl', 'http://127.0.0.1:8080'), variable('apiKey', ''), variable('dryRun', 'true')],
    item: [...bySection(methods)].map(([name, declared]) => ({ name, item: declared.map(request) })),
  }
}
