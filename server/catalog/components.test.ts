// Components of a product: how they are referred to, shown and refused, and that no product contains itself.

import assert from 'node:assert/strict'
import { url } from '../test/harness/app.ts'
import { postUntilAccepted } from '../test/harness/concurrent-calls.ts'
import { type Company, given } from '../test/harness/given.ts'
import { add, edit, editChanges, entry, noTexts, refuses, refusesEdit, remove } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

async function workshop(): Promise<{ company: Company; board: number; leg: number; hour: number }> {
  const company = await given.company()
  const unit_id = await add(company, 'units', { name: 'm' })
  return {
    company,
    board: await add(company, 'materials', { name: 'Oak board', sku: 'BOARD', unit_id }),
    leg: await add(company, 'products', { name: 'Table leg', sku: 'LEG', alt_skus: ['L'] }),
    hour: await add(company, 'resources', { name: 'Carpenter' }),
  }
}

/** Adding and editing with these components are refused. */
async function refusesComponents(company: Company, components: unknown, error: string): Promise<void> {
  const kept = [{ type: 'material', id: await add(company, 'materials'), amount: 1 }]
  const id = await add(company, 'products', { components: kept })
  const before = await entry(company, 'products', id)
  await refuses(company, 'products/add', { name: 'Table', components }, error)
  await refusesEdit(company, 'products', id, { components }, error)
  assert.deepEqual(await entry(company, 'products', id), before)
}

const madeOf = (id: number) => ({ components: [{ type: 'product', id, amount: 1 }] })

rule('catalog.item.components', async () => {
  const { company, board, leg, hour } = await workshop()
  const id = await add(company, 'products', {
    components: [
      { type: 'resource', id: hour, amount: 1.5 },
      { type: 'product', sku: 'LEG', amount: 4 },
      { type: 'material', id: board, amount: '2.25' },
    ],
  })
  const shown = [
    { type: 'resource', id: hour, name: 'Carpenter', unit: 'pcs', amount: 1.5, position: 0 },
    { type: 'product', id: leg, sku: 'LEG', name: 'Table leg', unit: 'pcs', amount: 4, position: 1 },
    { type: 'material', id: board, sku: 'BOARD', name: 'Oak board', unit: 'm', amount: 2.25, position: 2 },
  ]
  const { components } = await entry(company, 'products', id)
  assert.deepEqual(components, [{ ...shown[0], sku: components[0].sku }, shown[1], shown[2]])
  await edit(company, 'materials', board, { name: 'Pine board', sku: 'PINE' })
  const renamed = { ...shown[2], name: 'Pine board', sku: 'PINE', position: 0 }
  await editChanges(company, 'products', id, { components: [shown[2]] }, { components: [renamed] })
  assert.deepEqual((await entry(company, 'products', leg)).components, [])
})

rule('catalog.item.component-amount', async () => {
  const { company, board } = await workshop()
  const cases: readonly (readonly [unknown, number])[] = [
    [0.000001, 0.000001],
    [0.0000005, 0.000001],
    ['1.2345675', 1.234568],
    [1.2345674, 1.234567],
    [' 3 ', 3],
    [100000, 100000],
  ]
  const components = cases.map(([amount]) => ({ type: 'material', id: board, amount }))
  const id = await add(company, 'products', { components })
  const shown: { amount: number }[] = (await entry(company, 'products', id)).components
  assert.deepEqual(
    shown.map((one) => one.amount),
    cases.map(([, amount]) => amount),
  )
})

rule('catalog.item.component-named', async () => {
  const { company, board, leg } = await workshop()
  const id = await add(company, 'products', {
    components: [
      { type: 'material', sku: ' BOARD ', amount: 1 },
      { type: 'material', id: String(board), sku: 'NOWHERE', amount: 1 },
      { type: 'product', id: null, sku: 'LEG', amount: 1 },
      { type: 'product', id: '', sku: 'LEG', amount: 1 },
    ],
  })
  const shown: { id: number }[] = (await entry(company, 'products', id)).components
  assert.deepEqual(
    shown.map((one) => one.id),
    [board, board, leg, leg],
  )
})

rule('catalog.error.component-not-an-object', async () => {
  const { company, board } = await workshop()
  const right = { type: 'material', id: board, amount: 1 }
  for (const wrong of [5, 'x', null, [], true, [right]]) {
    await refusesComponents(company, [wrong], 'Component 0 must be an object')
    await refusesComponents(company, [right, right, wrong], 'Component 2 must be an object')
  }
})

rule('catalog.error.component-type', async () => {
  const { company, board } = await workshop()
  const right = { type: 'material', id: board, amount: 1 }
  for (const type of [undefined, null, '', 'materials', 'Material', 'x', 5, ...noTexts]) {
    const error = (n: number) => `Invalid type for component ${n}. Must be one of: material, product, resource`
    await refusesComponents(company, [{ ...right, type }], error(0))
    await refusesComponents(company, [right, { ...right, type }], error(1))
  }
})

rule('catalog.error.component-without-item', async () => {
  const { company, board } = await workshop()
  const right = { type: 'material', id: board, amount: 1 }
  for (const named of [{}, { id: null }, { id: '', sku: '' }, { sku: null }, { sku: ' ' }])
    await refusesComponents(
      company,
      [right, { type: 'material', amount: 1, ...named }],
      'SKU or id not set for component 1',
    )
})

rule('catalog.error.component-amount', async () => {
  const { company } = await workshop()
  const error = 'Amount must be greater than 0 for component with SKU "BOARD"'
  for (const amount of [undefined, null, 0, -1, '0', 0.0000004, 'x', '', '1,5', true, [], {}, '-0.1'])
    await refusesComponents(company, [{ type: 'material', sku: 'BOARD', amount }], error)
})

rule('catalog.error.component-not-found', async () => {
  const { company } = await workshop()
  const gone = await add(company, 'materials', { sku: 'GONE' })
  await remove(company, 'materials', gone)
  const missing = async (type: string, sku: string) =>
    await refusesComponents(company, [{ type, sku, amount: 1 }], `Component with SKU "${sku}" not found`)
  await missing('material', 'NOWHERE')
  await missing('material', 'GONE')
  await missing('material', 'LEG')
  await missing('product', 'BOARD')
  await missing('resource', 'Carpenter')
})

rule('catalog.error.component-by-id', async () => {
  const { company, board, leg, hour } = await workshop()
  const gone = await add(company, 'resources')
  await remove(company, 'resources', gone)
  const missing = async (type: string, id: unknown) =>
    await refusesComponents(company, [{ type, id, amount: 1 }], `Component with id ${id} not found`)
  for (const id of [987654, -1, 1.5, 'x', leg, hour]) await missing('material', id)
  for (const id of [board, gone, leg]) await missing('resource', id)
  const amount = `Amount must be greater than 0 for component with id ${board}`
  await refusesComponents(company, [{ type: 'material', id: board, sku: 'BOARD', amount: 0 }], amount)
})

rule('catalog.error.component-not-found', 'the component of another company', async () => {
  const [own, other] = [await given.company(), await given.company()]
  for (let n = 0; n < 5; n++) await add(other, 'products', { sku: `THEIRS-${n}` })
  await refusesComponents(own, [{ type: 'product', id: 5, amount: 1 }], 'Component with id 5 not found')
  const sku = 'THEIRS-1'
  await refusesComponents(own, [{ type: 'product', sku, amount: 1 }], `Component with SKU "${sku}" not found`)
})

rule('catalog.error.itself', async () => {
  const { company, leg } = await workshop()
  const error = 'Product cannot contain itself'
  await refusesEdit(company, 'products', leg, madeOf(leg), error)
  await refusesEdit(company, 'products', leg, { components: [{ type: 'product', sku: 'LEG', amount: 1 }] }, error)
  const mixed = [{ type: 'material', sku: 'BOARD', amount: 1 }, ...madeOf(leg).components]
  await refusesEdit(company, 'products', leg, { components: mixed }, error)
  // The SKU that the edit removes still refers to the product.
  await refusesEdit(company, 'products', leg, { sku: 'OTHER', ...madeOf(leg) }, error)
  assert.deepEqual((await entry(company, 'products', leg)).components, [])
})

rule('catalog.error.itself-through-others', async () => {
  const { company, leg, board } = await workshop()
  const chain = [leg]
  for (let length = 1; length < 12; length++) chain.push(await add(company, 'products', madeOf(chain.at(-1) ?? 0)))
  for (const upper of chain.slice(1)) {
    const components = [{ type: 'material', id: board, amount: 1 }, ...madeOf(upper).components]
    await refusesEdit(company, 'products', leg, { components }, 'Product cannot contain itself')
  }
  // Once the chain is cut in the middle, its upper half may contain the lower one and vice versa.
  await edit(company, 'products', chain[6] ?? 0, { components: [] })
  await edit(company, 'products', leg, madeOf(chain[11] ?? 0))
  await refusesEdit(company, 'products', chain[6] ?? 0, madeOf(chain[5] ?? 0), 'Product cannot contain itself')
})

rule('catalog.error.itself-through-others', 'two products that add each other concurrently', async () => {
  const company = await given.company()
  for (let round = 0; round < 5; round++) {
    const [a, b] = [await add(company, 'products'), await add(company, 'products')]
    const replies = await Promise.all([
      postUntilAccepted(url(), company.key, 'products/edit', { product_id: a, ...madeOf(b) }),
      postUntilAccepted(url(), company.key, 'products/edit', { product_id: b, ...madeOf(a) }),
    ])
    assert.deepEqual(replies.map((reply) => reply.text).toSorted(), [
      '{"success":false,"error":"Product cannot contain itself"}',
      '{"success":true}',
    ])
  }
})

rule('catalog.error.itself-through-others', 'the same component on two paths is not a cycle', async () => {
  const { company, leg } = await workshop()
  const frame = await add(company, 'products', madeOf(leg))
  const both = [...madeOf(leg).components, ...madeOf(frame).components]
  const table = await add(company, 'products', { components: both })
  assert.equal((await entry(company, 'products', table)).components.length, 2)
})
