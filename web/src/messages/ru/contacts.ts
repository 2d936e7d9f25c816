// Texts of customers and suppliers.

import { plural } from './plural.ts'

const records = (n: number): string => plural(n, 'запись', 'записи', 'записей')

/** Both kinds are declined alike: `покупатель` → `покупателя`, `поставщик` → `поставщика`. */
const object = (kind: string): string => `${kind.toLowerCase().replace(/ь$/, '')}${kind.endsWith('ь') ? 'я' : 'а'}`

export const contacts = {
  kinds: {
    customer: {
      title: 'Покупатели',
      one: 'Покупатель',
      add: 'Новый покупатель',
      empty: 'Покупателей пока нет. Создайте первого здесь или вместе с продажей.',
      documents: 'Продажи',
      total: 'Сумма продаж',
      open: 'Открытые продажи',
      last: 'Посл. продажа',
      newDocument: 'Новая продажа',
      noDocuments: 'Продаж этому покупателю пока нет.',
      all: 'Все продажи покупателя',
    },
    supplier: {
      title: 'Поставщики',
      one: 'Поставщик',
      add: 'Новый поставщик',
      empty: 'Поставщиков пока нет. Создайте первого здесь или вместе с закупкой.',
      documents: 'Закупки',
      total: 'Сумма закупок',
      open: 'Открытые закупки',
      last: 'Посл. закупка',
      newDocument: 'Новая закупка',
      noDocuments: 'Закупок у этого поставщика пока нет.',
      all: 'Все закупки у поставщика',
    },
  },
  field: {
    name: 'Имя или название',
    email: 'E-mail',
    phone: 'Телефон',
    address_real: 'Адрес доставки',
    address_legal: 'Юридический адрес, он же для счетов',
    country: 'Страна',
    vat_number: 'Номер НДС',
    payment_days: 'Срок оплаты',
    agreement: 'Договор',
    manager_name: 'Контактное лицо',
    manager_post: 'Должность',
    notes: 'Примечания',
  },
  paymentDaysHint: 'Через сколько дней нужно оплатить счёт.',
  paymentDays: (n: number) => plural(n, 'день', 'дня', 'дней'),
  unpaid: 'Не оплачено',
  unpaidOf: (n: number) => plural(n, 'продажа', 'продажи', 'продаж'),
  inAll: (n: string) => `всего ${n}`,
  edit: (kind: string) => `Изменить ${object(kind)}`,
  write: 'Написать письмо',
  call: 'Позвонить',
  delete: 'Удалить',
  deleteTitle: (name: string) => `Удалить «${name}»?`,
  deletes: (kind: string, name: string) => `Вы удаляете ${object(kind)} «${name}»; в документах запись останется видна`,
  deleted: (name: string) => `Удалено: ${name}`,
  deleteManyTitle: (n: number) => `Удалить ${records(n)}?`,
  deleteMany: (n: number) => `Выбрано: ${records(n)}. В документах они останутся видны.`,
  create: (kind: string) => `Создать ${object(kind)}`,
  saved: (name: string) => `Сохранено: ${name}`,
  created: (name: string) => `Создано: ${name}`,
  number: 'Номер',
  status: 'Статус',
  payment: 'Оплата',
  date: 'Дата',
  amount: 'Сумма',
  shownOf: (shown: number, all: string) => `Последние ${shown} из ${all}`,
} as const
