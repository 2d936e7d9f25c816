// Labels of statuses, and for the availability of items.

export const states = {
  availability: { in_stock: 'В наличии', expected: 'Ожидается', missing: 'Не хватает', none: 'Нет позиций' },
  statuses: {
    sale: {
      new: 'Новая',
      packed: 'Собрана',
      partlyShipped: 'Отгр. частично',
      shipped: 'Отгружена',
      canceled: 'Аннулирована',
    },
    quote: { draft: 'Черновик', sent: 'Отправлено', accepted: 'Принято', declined: 'Отклонено' },
    purchase: {
      new: 'Новая',
      ordered: 'Заказана',
      partlyReceived: 'Принята частично',
      received: 'Принята',
      canceled: 'Аннулирована',
    },
    production: { planned: 'В плане', inProgress: 'В работе', done: 'Готово', canceled: 'Аннулировано' },
    transfer: { new: 'Новое', inTransit: 'В пути', received: 'Принято', canceled: 'Аннулировано' },
    audit: { counting: 'Идёт подсчёт', completed: 'Завершена', canceled: 'Аннулирована' },
    payment: { unpaid: 'Не оплачено', partlyPaid: 'Опл. частично', paid: 'Оплачено' },
  },
} as const
