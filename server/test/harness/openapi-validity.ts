// Validity of an OpenAPI 3.1 document, as far as ours uses the specification: known fields, required fields, references that resolve,
// unique names. Written from the specification, so that no validator has to be installed.

type Json = { readonly [field: string]: unknown }

const fields = {
  document: ['openapi', 'info', 'jsonSchemaDialect', 'servers', 'security', 'tags', 'paths', 'components'],
  info: ['title', 'version', 'summary', 'description', 'termsOfService', 'contact', 'license'],
  server: ['url', 'description', 'variables'],
  tag: ['name', 'description', 'externalDocs'],
  pathItem: ['summary', 'description', 'post'],
  operation: [
    ...[
      'operationId',
      'tags',
      'summary',
      'description',
      'parameters',
      'requestBody',
      'responses',
      'deprecated',
      'security',
    ],
  ],
  parameter: ['name', 'in', 'required', 'description', 'deprecated', 'schema', 'example', 'examples'],
  requestBody: ['required', 'description', 'content'],
  response: ['description', 'headers', 'content', 'links'],
  header: ['description', 'required', 'deprecated', 'schema', 'example', 'examples'],
  mediaType: ['schema', 'example', 'examples', 'encoding'],
  example: ['summary', 'description', 'value', 'externalValue'],
  components: ['schemas', 'responses', 'parameters', 'examples', 'requestBodies', 'headers', 'securitySchemes'],
  securityScheme: ['type', 'in', 'name', 'description'],
} as const

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

export function openapiComplaints(document: object): string[] {
  const complaints: string[] = []
  const operationIds = new Set<string>()
  const say = (ok: boolean, complaint: string): void => void (ok || complaints.push(complaint))

  const follow = (reference: string, at: string): Json => {
    const steps = reference.startsWith('#/') ? reference.slice(2).split('/') : []
    const target = steps.reduce<unknown>((inside, step) => objectAt(inside)[step], document)
    say(steps.length > 0 && isObject(target), `${at}: ${reference} leads nowhere`)
    return objectAt(target)
  }
  /** Checks the fields of an object (a reference is resolved first) and returns it. */
  const known = (value: unknown, kind: keyof typeof fields, at: string, required: readonly string[] = []): Json => {
    say(isObject(value), `${at} is not an object`)
    const object = objectAt(value)
    if (typeof object['$ref'] === 'string') return follow(object['$ref'], at)
    const names: readonly string[] = fields[kind]
    for (const name of Object.keys(object))
      say(names.includes(name) || name.startsWith('x-'), `${at} has an unknown field ${name}`)
    for (const name of required) say(object[name] !== undefined, `${at} has no ${name}`)
    return object
  }
  const schema = (value: unknown, at: string): void => {
    if (typeof value === 'boolean') return
    say(isObject(value), `${at} is not a schema`)
    const object = objectAt(value)
    if (typeof object['$ref'] === 'string') follow(object['$ref'], at)
    for (const type of [object['type'] ?? []].flat())
      say(types.includes(String(type)), `${at} has the unknown type ${type}`)
    const properties = objectAt(object['properties'])
    for (const name of listAt(object['required']))
      say(String(name) in properties, `${at} requires ${name}, which it does not have`)
    for (const [name, inner] of Object.entries(properties)) schema(inner, `${at}.${name}`)
    for (const name of ['items', 'additionalProperties', 'propertyNames'])
      if (name in object) schema(object[name], `${at}.${name}`)
    for (const name of ['anyOf', 'oneOf', 'allOf'])
      for (const inner of listAt(object[name])) schema(inner, `${at}.${name}`)
  }
  const content = (value: unknown, at: string): void => {
    for (const [type, media] of Object.entries(objectAt(value))) {
      const { example, examples, ...rest } = known(media, 'mediaType', `${at} ${type}`, ['schema'])
      say(example === undefined || examples === undefined, `${at} has both example and examples`)
      schema(rest['schema'], at)
      for (const [name, one] of Object.entries(objectAt(examples)))
        known(one, 'example', `${at} example ${name}`, ['value'])
    }
  }
  const response = (value: unknown, at: string): void => {
    const { headers, content: shown } = known(value, 'response', at, isReference(value) ? [] : ['description'])
    for (const [name, header] of Object.entries(objectAt(headers)))
      schema(known(header, 'header', `${at} header ${name}`)['schema'], at)
    if (shown !== undefined) content(shown, at)
  }
  const parameter = (value: unknown, at: string): void => {
    const found = known(value, 'parameter', at, isReference(value) ? [] : ['name', 'in', 'schema'])
    say(['header', 'query', 'path', 'cookie'].includes(String(found['in'])), `${at} is nowhere`)
    schema(found['schema'], at)
  }

  const { openapi, info, servers, security, tags, paths, components } = known(document, 'document', 'the document', [
    'openapi',
    'info',
  ])
  say(/^3\.1\.\d+$/.test(String(openapi)), `${openapi} is not a version of OpenAPI 3.1`)
  known(info, 'info', 'info', ['title', 'version'])
  for (const server of listAt(servers)) known(server, 'server', 'a server', ['url'])
  const tagNames = listAt(tags).map((tag) => known(tag, 'tag', 'a tag', ['name'])['name'])
  const { schemas, responses, parameters, headers, securitySchemes } = known(
    components ?? {},
    'components',
    'components',
  )
  for (const group of Object.values(objectAt(components))) {
    for (const name of Object.keys(objectAt(group)))
      say(/^[A-Za-z0-9._-]+$/.test(name), `${name} cannot be the name of a component`)
  }
  for (const [name, one] of Object.entries(objectAt(schemas))) schema(one, name)
  for (const [name, one] of Object.entries(objectAt(responses))) response(one, name)
  for (const [name, one] of Object.entries(objectAt(parameters))) parameter(one, name)
  for (const [name, one] of Object.entries(objectAt(headers))) schema(known(one, 'header', name)['schema'], name)
  for (const [name, one] of Object.entries(objectAt(securitySchemes)))
    known(one, 'securityScheme', name, ['type', 'in', 'name'])
  for (const name of listAt(security).flatMap((one) => Object.keys(objectAt(one)))) {
    say(name in objectAt(securitySchemes), `no security scheme has the name ${name}`)
  }
  for (const [path, item] of Object.entries(objectAt(paths))) {
    say(path.startsWith('/'), `the path ${path} does not start with /`)
    const operation = known(known(item, 'pathItem', path)['post'], 'operation', path, ['operationId', 'responses'])
    const id = String(operation['operationId'])
    say(!operationIds.has(id), `two operations have the id ${id}`)
    operationIds.add(id)
    for (const tag of listAt(operation['tags']))
      say(tagNames.includes(tag), `${path} has the tag ${tag}, which is not listed`)
    for (const one of listAt(operation['parameters'])) parameter(one, `${path} parameter`)
    if (operation['requestBody'] !== undefined) {
      content(known(operation['requestBody'], 'requestBody', path, ['content'])['content'], `${path} request`)
    }
    const answers = Object.entries(objectAt(operation['responses']))
    say(answers.length > 0, `${path} has no response`)
    for (const [status, one] of answers) {
      say(/^(default|[1-5](\d\d|XX))$/.test(status), `${path} answers ${status}, which is no status`)
      response(one, `${path} ${status}`)
    }
  }
  return complaints
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const isReference = (value: unknown): boolean => isObject(value) && '$ref' in value
const objectAt = (value: unknown): Json => (isObject(value) ? value : {})
const listAt = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
