// What mails say, in the languages of the screens. Long because every mail is here in three languages.

import type { Role } from '../../kernel/method.ts'
import type { WebhookDisableReason } from '../../platform/process/metric-table.ts'
import type { CompanyLanguage } from '../first-records.ts'
import type { MailedPaper } from '../mail/outbox.ts'

/** A subject, paragraphs, and the label of the button for the link, if the mail has one. */
export type MailText = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly list?: readonly string[]
  readonly button?: string
  /** Below the button. */
  readonly after?: readonly string[]
}

export type MailTexts = {
  readonly greeting: string
  readonly footer: (origin: string) => string
  readonly linkHint: string
  readonly test: MailText
  readonly invitation: (of: { company: string; inviter: string | null; role: Role }) => MailText
  readonly passwordReset: (of: { company: string; email: string; minutes: number }) => MailText
  readonly passwordChanged: (of: { company: string; email: string }) => MailText
  readonly signUp: (of: { hours: number }) => MailText
  /** The address signs in to Kontor already. */
  readonly signUpAgain: (of: { hours: number }) => MailText
  readonly shortages: (of: { company: string; items: number; listed: number }) => MailText
  readonly shortage: (of: { named: string; onHand: string; minimum: string; unit: string }) => string
  readonly quote: (of: { company: string; num: string; validUntil: string }) => MailText
  readonly document: Readonly<Record<MailedPaper, (of: { company: string; num: string }) => MailText>>
  readonly webhookDisabled: (of: { company: string; host: string; reason: WebhookDisableReason }) => MailText
}

const en: MailTexts = {
  greeting: 'Hello,',
  footer: (origin) => `This mail was sent by Kontor at ${origin}.`,
  linkHint: 'If the button does not work, open this address in your browser:',
  test: {
    subject: 'Test of Kontor',
    paragraphs: ['This mail shows that Kontor can send mails.'],
  },
  invitation: ({ company, inviter, role }) => ({
    subject: `Invitation to ${company}`,
    paragraphs: [
      inviter === null
        ? `You have been invited to work with ${company} in Kontor.`
        : `${inviter} has invited you to work with ${company} in Kontor.`,
      `Your role: ${{ owner: 'Owner', manager: 'Manager', worker: 'Worker' }[role]}.`,
    ],
    button: 'Accept invitation',
    after: ['The link works once, within seven days. If you did not expect this mail, ignore it.'],
  }),
  passwordReset: ({ company, email, minutes }) => ({
    subject: 'Set a new password for Kontor',
    paragraphs: [`Somebody has asked to set a new password for ${email} (${company}).`],
    button: 'Set new password',
    after: [
      `The link works once, within ${minutes} minutes. If you did not ask for it, ignore this mail: your password stays as it is.`,
    ],
  }),
  passwordChanged: ({ company, email }) => ({
    subject: 'Your password was changed',
    paragraphs: [
      `The password of ${email} (${company}) was changed. All browsers were signed out.`,
      'If you did not do this, somebody else can read your mail: secure your mailbox, set a new password with "Forgot password?" on the sign-in page, and tell an owner of your company.',
    ],
  }),
  signUp: ({ hours }) => ({
    subject: 'Confirm your e-mail address',
    paragraphs: [
      'A company was signed up for Kontor with this e-mail address. Confirm the address to create the company.',
    ],
    button: 'Confirm address',
    after: [
      `The link works once, within ${hours} hours. If you did not sign up, ignore this mail: nothing is created.`,
    ],
  }),
  signUpAgain: ({ hours }) => ({
    subject: 'Confirm another company',
    paragraphs: [
      'Another company was signed up for Kontor with this e-mail address, which already belongs to an account. Confirm it to create the company. The companies that you have stay as they are.',
      'The new company has a password of its own: the one that was typed at sign-up. If you only want to sign in, or have forgotten your password, open the sign-in page instead.',
    ],
    button: 'Create another company',
    after: [
      `The link works once, within ${hours} hours. If you did not sign up, ignore this mail: nothing is created.`,
    ],
  }),
  quote: ({ company, num, validUntil }) => ({
    subject: `Quote ${num} from ${company}`,
    paragraphs: [`${company} has sent you quote ${num}. It is valid until ${validUntil}.`],
    button: 'Open quote',
    after: [
      'There you can read, download, accept or decline it, without an account. Everybody who has the link can accept it.',
    ],
  }),
  document: {
    'order-confirmation': ({ company, num }) => ({
      subject: `Order confirmation ${num} from ${company}`,
      paragraphs: [`${company} confirms order ${num}. The order confirmation is attached as PDF.`],
    }),
    'purchase-order': ({ company, num }) => ({
      subject: `Purchase order ${num} from ${company}`,
      paragraphs: [`${company} has sent you purchase order ${num}. It is attached as PDF.`],
    }),
  },
  webhookDisabled: ({ company, host, reason }) => ({
    subject: `A webhook of ${company} was turned off`,
    paragraphs: [
      `The webhook of ${company} to ${host} was turned off: ${{ gone: 'the receiver answered that it no longer exists (410)', failing: 'nothing could be delivered for five days' }[reason]}.`,
      'No event is lost. When the receiver works again, turn the webhook on: it continues where it stopped.',
    ],
    button: 'Open webhook',
  }),
  shortages: ({ company, items, listed }) => ({
    subject: `${items} ${items === 1 ? 'item' : 'items'} of ${company} ${items === 1 ? 'is below its' : 'are below their'} minimum`,
    paragraphs: [listed < items ? `The first ${listed} of them, with what is on hand:` : 'With what is on hand:'],
    button: 'Open stock',
    after: ['You get this mail once a day while items are below their minimum. You can turn it off in your profile.'],
  }),
  shortage: ({ named, onHand, minimum, unit }) => `${named}: ${onHand} of ${minimum} ${unit}`,
}

const de: MailTexts = {
  greeting: 'Guten Tag,',
  footer: (origin) => `Diese E-Mail wurde von Kontor unter ${origin} gesendet.`,
  linkHint: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse im Browser:',
  test: {
    subject: 'Test von Kontor',
    paragraphs: ['Diese E-Mail zeigt, dass Kontor E-Mails senden kann.'],
  },
  invitation: ({ company, inviter, role }) => ({
    subject: `Einladung zu ${company}`,
    paragraphs: [
      inviter === null
        ? `Sie wurden eingeladen, in Kontor mit ${company} zu arbeiten.`
        : `${inviter} lädt Sie ein, in Kontor mit ${company} zu arbeiten.`,
      `Ihre Rolle: ${{ owner: 'Inhaber', manager: 'Verwaltung', worker: 'Mitarbeiter' }[role]}.`,
    ],
    button: 'Einladung annehmen',
    after: [
      'Der Link funktioniert einmal, innerhalb von sieben Tagen. Wenn Sie diese E-Mail nicht erwartet haben, ignorieren Sie sie.',
    ],
  }),
  passwordReset: ({ company, email, minutes }) => ({
    subject: 'Neues Passwort für Kontor festlegen',
    paragraphs: [`Für ${email} (${company}) wurde ein neues Passwort angefordert.`],
    button: 'Neues Passwort festlegen',
    after: [
      `Der Link funktioniert einmal, innerhalb von ${minutes} Minuten. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.`,
    ],
  }),
  passwordChanged: ({ company, email }) => ({
    subject: 'Ihr Passwort wurde geändert',
    paragraphs: [
      `Das Passwort von ${email} (${company}) wurde geändert. Alle Browser wurden abgemeldet.`,
      'Wenn Sie das nicht waren, kann jemand anderes Ihre E-Mails lesen: Sichern Sie Ihr Postfach, legen Sie mit „Passwort vergessen?“ auf der Anmeldeseite ein neues Passwort fest und informieren Sie einen Inhaber Ihrer Firma.',
    ],
  }),
  signUp: ({ hours }) => ({
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    paragraphs: [
      'Mit dieser E-Mail-Adresse wurde eine Firma bei Kontor angemeldet. Bestätigen Sie die Adresse, um die Firma anzulegen.',
    ],
    button: 'Adresse bestätigen',
    after: [
      `Der Link funktioniert einmal, innerhalb von ${hours} Stunden. Wenn Sie nichts angemeldet haben, ignorieren Sie diese E-Mail: Es wird nichts angelegt.`,
    ],
  }),
  signUpAgain: ({ hours }) => ({
    subject: 'Bestätigen Sie eine weitere Firma',
    paragraphs: [
      'Mit dieser E-Mail-Adresse, die bereits zu einem Konto gehört, wurde eine weitere Firma bei Kontor angemeldet. Bestätigen Sie sie, um die Firma anzulegen. Ihre bisherigen Firmen bleiben, wie sie sind.',
      'Die neue Firma hat ein eigenes Passwort: das bei der Anmeldung der Firma eingegebene. Wenn Sie sich nur anmelden möchten oder Ihr Passwort vergessen haben, öffnen Sie stattdessen die Anmeldeseite.',
    ],
    button: 'Weitere Firma anlegen',
    after: [
      `Der Link funktioniert einmal, innerhalb von ${hours} Stunden. Wenn Sie nichts angemeldet haben, ignorieren Sie diese E-Mail: Es wird nichts angelegt.`,
    ],
  }),
  quote: ({ company, num, validUntil }) => ({
    subject: `Angebot ${num} von ${company}`,
    paragraphs: [`${company} hat Ihnen das Angebot ${num} gesendet. Es ist gültig bis ${validUntil}.`],
    button: 'Angebot öffnen',
    after: [
      'Dort können Sie es ohne Konto lesen, herunterladen, annehmen oder ablehnen. Wer den Link hat, kann es annehmen.',
    ],
  }),
  document: {
    'order-confirmation': ({ company, num }) => ({
      subject: `Auftragsbestätigung ${num} von ${company}`,
      paragraphs: [`${company} bestätigt den Auftrag ${num}. Die Auftragsbestätigung finden Sie im Anhang als PDF.`],
    }),
    'purchase-order': ({ company, num }) => ({
      subject: `Bestellung ${num} von ${company}`,
      paragraphs: [`${company} sendet Ihnen die Bestellung ${num}. Sie finden sie im Anhang als PDF.`],
    }),
  },
  webhookDisabled: ({ company, host, reason }) => ({
    subject: `Ein Webhook von ${company} wurde ausgeschaltet`,
    paragraphs: [
      `Der Webhook von ${company} an ${host} wurde ausgeschaltet: ${{ gone: 'Der Empfänger antwortete, dass es ihn nicht mehr gibt (410)', failing: 'Fünf Tage lang konnte nichts zugestellt werden' }[reason]}.`,
      'Kein Ereignis geht verloren. Wenn der Empfänger wieder arbeitet, schalten Sie den Webhook ein: Er macht weiter, wo er aufgehört hat.',
    ],
    button: 'Webhook öffnen',
  }),
  shortages: ({ company, items, listed }) => ({
    subject: `${items} Artikel von ${company} ${items === 1 ? 'ist' : 'sind'} unter dem Mindestbestand`,
    paragraphs: [
      listed < items ? `Die ersten ${listed} davon, mit dem vorhandenen Bestand:` : 'Mit dem vorhandenen Bestand:',
    ],
    button: 'Bestand öffnen',
    after: [
      'Sie erhalten diese E-Mail einmal am Tag, solange Artikel unter dem Mindestbestand sind. Sie können sie in Ihrem Profil abbestellen.',
    ],
  }),
  shortage: ({ named, onHand, minimum, unit }) => `${named}: ${onHand} von ${minimum} ${unit}`,
}

const ru: MailTexts = {
  greeting: 'Здравствуйте!',
  footer: (origin) => `Это письмо отправлено системой Kontor, ${origin}.`,
  linkHint: 'Если кнопка не работает, откройте этот адрес в браузере:',
  test: {
    subject: 'Проверка Kontor',
    paragraphs: ['Это письмо показывает, что Kontor может отправлять почту.'],
  },
  invitation: ({ company, inviter, role }) => ({
    subject: `Приглашение в ${company}`,
    paragraphs: [
      inviter === null
        ? `Вас пригласили работать в Kontor с компанией ${company}.`
        : `${inviter} приглашает вас работать в Kontor с компанией ${company}.`,
      `Ваша роль: ${{ owner: 'Владелец', manager: 'Менеджер', worker: 'Сотрудник' }[role]}.`,
    ],
    button: 'Принять приглашение',
    after: [
      'Ссылка действует один раз, в течение семи дней. Если вы не ждали этого письма, не обращайте на него внимания.',
    ],
  }),
  passwordReset: ({ company, email, minutes }) => ({
    subject: 'Новый пароль для Kontor',
    paragraphs: [`Для ${email} (${company}) запросили новый пароль.`],
    button: 'Задать новый пароль',
    after: [
      `Ссылка действует один раз, в течение ${minutes} минут. Если вы её не запрашивали, не обращайте внимания на это письмо: пароль останется прежним.`,
    ],
  }),
  passwordChanged: ({ company, email }) => ({
    subject: 'Ваш пароль изменён',
    paragraphs: [
      `Пароль для ${email} (${company}) изменён. Во всех браузерах выполнен выход.`,
      'Если это сделали не вы, вашу почту может читать кто-то другой: защитите почтовый ящик, задайте новый пароль по ссылке «Забыли пароль?» на странице входа и сообщите владельцу компании.',
    ],
  }),
  signUp: ({ hours }) => ({
    subject: 'Подтвердите адрес e-mail',
    paragraphs: ['С этим адресом в Kontor зарегистрировали компанию. Подтвердите адрес, чтобы её создать.'],
    button: 'Подтвердить адрес',
    after: [
      `Ссылка действует один раз, в течение ${hours} часов. Если вы не регистрировались, не обращайте внимания на это письмо: ничего создано не будет.`,
    ],
  }),
  signUpAgain: ({ hours }) => ({
    subject: 'Подтвердите ещё одну компанию',
    paragraphs: [
      'С этим адресом, который уже принадлежит учётной записи, в Kontor зарегистрировали ещё одну компанию. Подтвердите её, чтобы она была создана. Ваши прежние компании останутся без изменений.',
      'У новой компании свой пароль: тот, что введён при регистрации. Если вы хотите только войти или забыли пароль, откройте страницу входа.',
    ],
    button: 'Создать ещё одну компанию',
    after: [
      `Ссылка действует один раз, в течение ${hours} часов. Если вы не регистрировались, не обращайте внимания на это письмо: ничего создано не будет.`,
    ],
  }),
  quote: ({ company, num, validUntil }) => ({
    subject: `Предложение ${num} от ${company}`,
    paragraphs: [`Компания ${company} отправила вам предложение ${num}. Срок действия: ${validUntil}.`],
    button: 'Открыть предложение',
    after: [
      'Там его можно прочитать, скачать, принять или отклонить без учётной записи. Принять его может любой, у кого есть ссылка.',
    ],
  }),
  document: {
    'order-confirmation': ({ company, num }) => ({
      subject: `Подтверждение заказа ${num} от ${company}`,
      paragraphs: [`Компания ${company} подтверждает заказ ${num}. Подтверждение приложено в формате PDF.`],
    }),
    'purchase-order': ({ company, num }) => ({
      subject: `Заказ ${num} от ${company}`,
      paragraphs: [`Компания ${company} отправила вам заказ ${num}. Он приложен в формате PDF.`],
    }),
  },
  webhookDisabled: ({ company, host, reason }) => ({
    subject: `Вебхук компании ${company} отключён`,
    paragraphs: [
      `Вебхук компании ${company} на ${host} отключён: ${{ gone: 'получатель ответил, что его больше нет (410)', failing: 'пять дней ничего не удавалось доставить' }[reason]}.`,
      'Ни одно событие не потеряно. Когда получатель снова заработает, включите вебхук: он продолжит с места остановки.',
    ],
    button: 'Открыть вебхук',
  }),
  shortages: ({ company, items, listed }) => ({
    subject: `Ниже минимального остатка в ${company}: ${items}`,
    paragraphs: [
      listed < items ? `Первые ${listed} позиций и сколько их в наличии:` : 'Позиции и сколько их в наличии:',
    ],
    button: 'Открыть остатки',
    after: [
      'Это письмо приходит раз в день, пока есть позиции ниже минимального остатка. Его можно отключить в профиле.',
    ],
  }),
  shortage: ({ named, onHand, minimum, unit }) => `${named}: ${onHand} из ${minimum} ${unit}`,
}

export const mailTexts: Readonly<Record<CompanyLanguage, MailTexts>> = { en, de, ru }
