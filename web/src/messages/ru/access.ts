// Texts of sign-in and sign-up.

export const access = {
  signIn: 'Войти',
  signInTitle: 'Вход в Kontor',
  signUp: 'Создать компанию',
  signUpTitle: 'Создайте свою компанию',
  noAccount: 'Ещё нет учётной записи?',
  hasAccount: 'Уже есть учётная запись?',
  email: 'E-mail',
  password: 'Пароль',
  passwordHint: 'Не менее 10 знаков',
  name: 'Ваше имя',
  company: 'Компания',
  timezone: 'Часовой пояс',
  language: 'Язык',
  invitationTitle: (company: string) => `Присоединиться к «${company}»`,
  invitationFor: (email: string, role: string) =>
    `Вас пригласили по адресу ${email}. Ваша роль: ${role.toLowerCase()}.`,
  join: 'Присоединиться',
  again: {
    title: 'Войдите, чтобы продолжить',
    text: (name: string) => `${name}, ваш сеанс завершён. Всё введённое сохранилось на странице.`,
    other: 'Если войти как другой пользователь, несохранённые изменения на этой странице пропадут.',
    leave: 'Выйти без сохранения',
  },
  noSession: {
    title: 'Браузер не сохранил вход',
    made: 'Компания создана. Когда устраните причину, войдите со своим адресом e-mail.',
    cookies: 'Файлы cookie этого сайта заблокированы. Разрешите их и войдите снова.',
    plain: (origin: string) =>
      `Страница открыта без шифрования, по HTTP: ${origin}. Браузеры сохраняют вход только по HTTPS или на localhost.`,
    https: (address: string) => `Откройте ${address}, если у сервера есть сертификат.`,
    localhost: (address: string) => `На компьютере, где работает Kontor, откройте ${address}.`,
    operator: 'Если сервером управляете вы: поставьте перед ним прокси с TLS и запустите Kontor с настройкой',
    lan: 'В доверенной сети без TLS: запустите Kontor с настройкой',
    unencrypted: 'и открывайте именно этот адрес. Пароли при этом передаются без шифрования.',
  },
  roles: { owner: 'Владелец', manager: 'Менеджер', worker: 'Сотрудник' },
} as const
