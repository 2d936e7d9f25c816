// Texts about lines that were skipped in documents because their item was not found.

import { count } from '../../format.ts'
import { plural } from './plural.ts'

const documentsOf = (sales: number, purchases: number): string =>
  [
    ...(sales > 0 || purchases === 0 ? [plural(sales, 'продажа', 'продажи', 'продаж')] : []),
    ...(purchases > 0 ? [plural(purchases, 'закупка', 'закупки', 'закупок')] : []),
  ].join(' и ')

export const toFix = {
  title: 'Исправить',
  help: 'Эти строки продаж и закупок пропущены: нет позиции с их артикулом или id.',
  closedHelp:
    'Эти документы отгружены, приняты или аннулированы, сопоставление их не изменит. Отклоните то, что уже улажено.',
  tabs: 'Документы',
  waiting: 'Открытые документы',
  closed: 'Завершённые и аннулированные',
  none: 'Исправлять нечего. В открытых документах пропущенных строк нет.',
  noneClosed: 'В завершённых и аннулированных документах пропущенных строк нет.',
  noneFound: (search: string) => `Пропущенных строк с «${search}» в артикуле или id нет.`,
  showAll: 'Показать все',
  incomplete: 'Показаны не все строки. Здесь самые новые.',
  kinds: { product: 'Товар', material: 'Материал' },
  sku: (sku: string) => `арт. ${sku}`,
  id: (id: string) => `id ${id}`,
  externalId: (id: string, connection: string) => `внешний id ${id} (${connection})`,
  screens: 'это приложение',
  sum: (sales: number, purchases: number, amount: string, total: string) =>
    `${documentsOf(sales, purchases)} · количество ${amount} · ${total}`,
  document: {
    order: (num: string) => `Продажа ${num}`,
    purchase: (num: string) => `Закупка ${num}`,
  },
  ofDocument: (contact: string, day: string) => `${contact}, ${day}`,
  more: (n: number) => `и ещё ${count(n)}`,
  inCatalog: 'Теперь есть позиция с этим артикулом:',
  assignTo: (name: string) => `Сопоставить с «${name}»`,
  assign: 'Сопоставить с позицией',
  assignOf: (code: string) => `Сопоставить с позицией: ${code}`,
  assignTitle: (code: string) => `Сопоставить с позицией: ${code}`,
  create: 'Создать позицию',
  createOf: (code: string) => `Создать позицию: ${code}`,
  createAndAssign: 'Создать и сопоставить',
  dismiss: 'Отклонить',
  dismissOf: (code: string) => `Отклонить: ${code}`,
  item: 'Позиция',
  itemNeeded: 'Выберите позицию.',
  effect: (amount: string, sales: number, purchases: number) =>
    `Будет добавлено общее количество ${amount}: ${documentsOf(sales, purchases)}.${sales > 0 ? ' Проданное будет зарезервировано.' : ''}`,
  learns: {
    product: 'В следующих запросах с этим артикулом позиция найдётся сама.',
    material: 'Материал без артикула получит этот.',
  },
  running: (code: string, done: number, all: number) => `${code}: ${count(done)} из ${count(all)}`,
  assigned: (code: string, documents: number) =>
    `${code}: сопоставлено в ${plural(documents, 'документе', 'документах', 'документах')}`,
  dismissed: (code: string, documents: number) =>
    `${code}: отклонено в ${plural(documents, 'документе', 'документах', 'документах')}`,
} as const
