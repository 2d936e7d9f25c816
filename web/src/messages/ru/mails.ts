// Тексты о письмах.

import { count } from '../../format.ts'

export const mails = {
  intro: 'Письма, которые Kontor отправил для вашей компании за последние 30 дней.',
  off: 'Этот сервер не отправляет писем. Приглашения — это ссылки, которые вы отправляете сами. Почту может настроить администратор сервера.',
  empty: 'Писем пока нет.',
  column: { recipient: 'Получатель', status: 'Статус', response: 'Ответ почтового сервера', at: 'Время' },
  kinds: {
    invitation: 'Приглашение',
    password_reset: 'Ссылка для нового пароля',
    password_changed: 'Пароль изменён',
    sign_up: 'Регистрация',
    webhook_disabled: 'Вебхук отключён',
    shortages: 'Нехватка',
    quote: 'Предложение',
    document: 'Документ',
  },
  statuses: { queued: 'Ожидает', sent: 'Отправлено', failed: 'Не отправлено', canceled: 'Отменено' },
  next: (time: string) => `Следующая попытка ${time}`,
  attempts: (n: number) => `Попыток: ${count(n)}`,
} as const
