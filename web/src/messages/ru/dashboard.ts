// Texts of the dashboard.

import { count } from '../../format.ts'
import { plural } from './plural.ts'

const items = (n: number): string => plural(n, 'позиция', 'позиции', 'позиций')
const counted = (n: number): string => plural(n, 'продажа', 'продажи', 'продаж')

export const dashboard = {
  title: 'Главная',
  greeting: {
    morning: (name: string) => `Доброе утро, ${name}`,
    afternoon: (name: string) => `Добрый день, ${name}`,
    evening: (name: string) => `Добрый вечер, ${name}`,
  },
  today: {
    toShip: (n: number) => `${counted(n)} к отгрузке`,
    toMake: (n: number) => `${plural(n, 'производство', 'производства', 'производств')} в плане`,
    low: (n: number) => `мало на складе: ${items(n)}`,
    negative: (n: number) => `${count(n)} ниже нуля`,
    nothing: 'срочных дел нет',
  },
  figures: 'Показатели',
  revenue: 'Выручка, 30 дней',
  margin: 'Маржа, 30 дней',
  against: (change: string) => `${change} к предыдущим 30 дням`,
  before: (sum: string) => `${sum} за предыдущие 30 дней`,
  beforeWith: (sum: string, leftOut: string) => `${sum} за предыдущие 30 дней (${leftOut})`,
  toShip: 'К отгрузке',
  toShipHint: 'всё есть в наличии',
  unpaid: 'Не оплачено',
  unpaidHint: counted,
  low: 'Мало на складе',
  lowHint: 'ниже минимума',
  negative: 'Остаток в минусе',
  negativeHint: 'ниже нуля',
  chart: {
    title: 'Выручка по дням',
    legend: 'столбцы: последние 30 дней · штрихи: предыдущие 30',
    label: 'Выручка и маржа за последние 30 дней в сравнении с выручкой за предыдущие 30 дней',
    revenue: 'Выручка',
    margin: 'Маржа',
    former: 'Выручка, предыдущие 30 дней',
    asTable: 'Таблица',
    asChart: 'График',
    view: 'Вид',
    day: 'День',
    formerDay: '30 дней назад',
    none: 'За последние 60 дней продаж не было.',
  },
  shipList: 'К отгрузке',
  noShip: 'Сейчас отгружать нечего.',
  all: 'Показать все',
  allOf: (n: string) => `Все: ${n}`,
  makeList: 'К производству',
  noMake: 'Ничего не запланировано.',
  board: 'Доска',
  ready: 'Готово',
  missing: (n: number) => `не хватает: ${items(n)}`,
  buyList: 'К закупке',
  noBuy: 'Ниже минимума ничего нет.',
  buyFrom: (supplier: string, n: number) => `${supplier} · ${items(n)}`,
  noSupplier: 'Без поставщика',
  atPrice: (sum: string) => `около ${sum}`,
  order: 'Заказать недостающее',
  stockValue: 'Стоимость остатков',
  stockValueHint: 'по средней себестоимости',
  newSale: 'Новая продажа',
} as const
