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
  firstSteps: {
    title: 'Первые шаги',
    progress: (done: number, all: number) => `Готово: ${done} из ${all}`,
    dismiss: 'Скрыть',
    done: 'Готово',
    steps: {
      company: {
        title: 'Проверьте данные компании',
        why: 'Валюта, часовой пояс и номера продаж.',
        label: 'Открыть данные',
      },
      items: {
        title: 'Добавьте то, что производите и покупаете',
        why: 'Товары, материалы для них и цены.',
        label: 'Добавить товар',
      },
      stock: {
        title: 'Введите начальные остатки',
        why: 'Посчитайте, что лежит на полках. Если указать себестоимость, маржа будет верной.',
        label: 'Посчитать',
      },
      sale: {
        title: 'Введите первую продажу',
        why: 'Kontor зарезервирует товар и покажет, чего не хватает.',
        label: 'Новая продажа',
      },
      shipment: {
        title: 'Отгрузите её',
        why: 'Откройте продажу и нажмите «Отгрузить»: товар спишется со склада.',
        label: 'Открыть продажи',
      },
      colleague: {
        title: 'Пригласите коллегу',
        why: 'Сотрудники считают, производят и отгружают, но не видят денег.',
        label: 'Пригласить',
      },
      shop: {
        title: 'Подключите магазин',
        why: 'Заказы будут приходить сами, а магазин будет знать остатки.',
        label: 'Подключить',
      },
    },
  },
  exampleData: {
    offer: 'Хотите сначала посмотреть? Заполните Kontor данными небольшой мастерской. Их можно удалить.',
    add: 'Попробовать на примере',
    added: 'Пример добавлен',
    present: 'Вы смотрите на данные примера.',
    remove: 'Удалить пример',
    removing: 'Позиции, контакты и документы примера будут удалены. То, что вы изменили или использовали, останется.',
    removed: 'Пример удалён',
    leftTitle: 'Часть примера осталась',
    left: (n: number) =>
      `Осталось: ${plural(n, 'запись', 'записи', 'записей')}. Вы их изменили, использовали, или они нужны для этого.`,
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
