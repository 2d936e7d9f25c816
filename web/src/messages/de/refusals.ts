// The server's errors as messages for the user of a form: what is wrong and what to do.

import type { Refused } from '../en/refusals.ts'

const required: Readonly<Record<string, string>> = {
  customer_id: 'Wählen Sie einen Kunden.',
  customer_name: 'Wählen Sie einen Kunden.',
  supplier_id: 'Wählen Sie einen Lieferanten.',
  supplier_name: 'Wählen Sie einen Lieferanten.',
  suppliers: 'Wählen Sie einen Lieferanten.',
  num: 'Geben Sie eine Nummer ein.',
  name: 'Geben Sie einen Namen ein.',
  company: 'Geben Sie den Namen der Firma ein.',
  email: 'Geben Sie eine E-Mail-Adresse ein.',
  password: 'Geben Sie ein Passwort ein.',
  code: 'Geben Sie den Code ein.',
  new_password: 'Geben Sie ein Passwort ein.',
  role: 'Wählen Sie eine Rolle.',
  url: 'Geben Sie eine Adresse ein.',
  storage_id: 'Wählen Sie einen Lagerort.',
  storage_from_id: 'Wählen Sie einen Lagerort.',
  storage_to_id: 'Wählen Sie einen Lagerort.',
  products_storage_id: 'Wählen Sie einen Lagerort.',
  materials_storage_id: 'Wählen Sie einen Lagerort.',
}

const reload = 'Laden Sie die Seite neu und versuchen Sie es erneut.'

export const refusals: Readonly<Record<string, (of: Refused) => string>> = {
  required: ({ field = '' }) => required[field] ?? 'Füllen Sie dieses Feld aus.',
  not_text: () => 'Geben Sie Text ein.',
  unreadable_text: () =>
    'Dieser Text enthält Zeichen, die sich nicht speichern lassen. Tippen Sie ihn ein, statt ihn einzufügen.',
  too_long: ({ value }) => `Geben Sie höchstens ${value} Zeichen ein.`,
  too_short: ({ value }) => `Geben Sie mindestens ${value} Zeichen ein.`,
  too_many: ({ value }) => `Zu viele Einträge. Geben Sie höchstens ${value} ein.`,
  too_many_mails: ({ value }) =>
    `Ihre Firma hat in den letzten 24 Stunden ${value} E-Mails gesendet, mehr sind nicht erlaubt. Versuchen Sie es später.`,
  not_a_number: () => 'Geben Sie eine Zahl ein, 0 oder größer.',
  out_of_range: () => 'Diese Zahl ist zu klein oder zu groß. Prüfen Sie sie.',
  not_a_choice: ({ field }) =>
    field === 'currency'
      ? 'Geben Sie einen Währungscode aus drei Buchstaben ein, zum Beispiel EUR.'
      : `Diese Auswahl gibt es nicht mehr. ${reload}`,
  not_a_date: () => 'Geben Sie ein gültiges Datum ein.',
  not_a_time: () => 'Geben Sie eine gültige Uhrzeit ein.',
  not_an_email: () => 'Geben Sie eine gültige E-Mail-Adresse ein.',
  malformed: ({ field }) =>
    field === 'url'
      ? 'Geben Sie eine Adresse ein, die mit https:// beginnt und aus dem Internet über Port 443 oder 8443 erreichbar ist.'
      : field === 'first_sale_number'
        ? 'Geben Sie eine Nummer ein, die mit einer Ziffer endet, zum Beispiel 2026-0001.'
        : `Das Formular konnte nicht gelesen werden. ${reload}`,
  no_lines: () => 'Fügen Sie mindestens eine Position hinzu.',
  too_many_lines: ({ value }) => `Zu viele Positionen. Geben Sie höchstens ${value} ein.`,
  amount_not_positive: () => 'Geben Sie eine Menge über 0 ein.',
  amount_too_large: () => 'Geben Sie eine kleinere Menge ein.',
  total_not_a_number: () => 'Geben Sie einen Gesamtbetrag ein.',
  total_too_large: () => 'Geben Sie einen kleineren Gesamtbetrag ein.',
  count_below_zero: () => 'Geben Sie eine gezählte Menge von 0 oder mehr ein.',
  unit_cost_not_a_number: () => 'Geben Sie Stückkosten von 0 oder mehr ein.',
  counted_twice: () => 'Dieser Artikel steht in zwei Zeilen. Entfernen Sie eine davon.',
  item_not_found: () => 'Dieser Artikel wurde gelöscht. Entfernen Sie ihn oder wählen Sie einen anderen.',
  items_not_found: () => 'Diese Artikel wurden gelöscht. Wählen Sie andere.',
  materials_disabled: () =>
    'Materialien können nicht verkauft werden. Entfernen Sie sie, oder erlauben Sie es in den Einstellungen der Firma.',
  no_components: () =>
    'Dieses Produkt hat keine Komponenten. Tragen Sie sie beim Produkt ein, oder geben Sie hier den Verbrauch ein.',
  contains_itself: ({ field }) =>
    field === 'components'
      ? 'Ein Produkt kann sich nicht selbst enthalten. Entfernen Sie diese Komponente.'
      : 'Eine Kategorie kann nicht in sich selbst liegen. Wählen Sie eine andere übergeordnete Kategorie.',
  storage_not_found: () => 'Dieser Lagerort wurde gelöscht. Wählen Sie einen anderen.',
  same_storages: () => 'Wählen Sie zwei verschiedene Lagerorte.',
  link_revoked: () => 'Dieser Link wurde widerrufen. Bitten Sie um einen neuen.',
  link_expired: () => 'Dieses Angebot ist abgelaufen. Bitten Sie um ein neues.',
  quote_decided: () => 'Dieses Angebot wurde bereits angenommen oder abgelehnt. Laden Sie die Seite neu.',
  quote_not_a_draft: () => 'Nur ein Entwurf kann geändert werden. Machen Sie das Angebot zuerst wieder zum Entwurf.',
  quote_not_sent: () => 'Nur ein versendetes Angebot kann angenommen oder abgelehnt werden. Versenden Sie es zuerst.',
  quote_accepted: () => 'Dieses Angebot wurde angenommen und ist jetzt ein Verkauf.',
  quote_expired: () => 'Dieses Angebot ist abgelaufen. Machen Sie es zum Entwurf und verlängern Sie es.',
  valid_before_its_day: () => 'Wählen Sie einen Tag, der nicht vor dem Datum des Angebots liegt.',
  customer_not_found: () => 'Dieser Kunde wurde gelöscht. Wählen Sie einen anderen.',
  supplier_not_found: () => 'Dieser Lieferant wurde gelöscht. Wählen Sie einen anderen.',
  unit_not_found: () => 'Diese Einheit wurde gelöscht. Wählen Sie eine andere.',
  tax_rate_not_found: () => 'Dieser Steuersatz wurde gelöscht oder archiviert. Wählen Sie einen anderen.',
  category_not_found: () => 'Diese Kategorie wurde gelöscht. Wählen Sie eine andere.',
  order_not_found: () => 'Dieser Verkauf wurde gelöscht. Wählen Sie einen anderen.',
  record_not_found: () => 'Dieser Eintrag wurde gelöscht. Laden Sie die Seite neu.',
  nothing_to_make: () =>
    'Dieser Verkauf enthält keine Produkte mit Komponenten. Wählen Sie einen anderen, oder geben Sie den Verbrauch ein.',
  order_taken: () => 'Dieser Verkauf ist storniert oder hat schon einen Fertigungsauftrag. Wählen Sie einen anderen.',
  follows_order: () => 'Diese Produkte stammen aus dem Verkauf. Ändern Sie sie dort.',
  name_taken: () => 'Dieser Name ist schon vergeben. Wählen Sie einen anderen.',
  code_taken: ({ field, value }) =>
    field === 'barcodes'
      ? `Strichcode ${value} gehört schon zu einem anderen Artikel.`
      : `Artikelnummer ${value} gehört schon zu einem anderen Artikel.`,
  nothing_chosen: () => 'Geben Sie für mindestens eine Position eine Menge ein.',
  document_canceled: () => 'Dieser Beleg ist storniert. Öffnen Sie ihn zuerst wieder.',
  document_done: () => 'Dieser Beleg ist schon abgeschlossen.',
  not_in_document: () => `Dieser Artikel steht nicht mehr im Beleg. ${reload}`,
  more_than_left: ({ value }) => `Nur noch ${value} offen.`,
  in_use: () => 'Dieser Eintrag wird verwendet und kann deshalb nicht gelöscht werden.',
  has_items: () => 'Es gibt schon Artikel; Beispieldaten können deshalb nicht mehr angelegt werden.',
  has_stock: () =>
    'Dieser Artikel hat Bestand und kann deshalb nicht gelöscht werden. Bringen Sie den Bestand zuerst auf 0.',
  used_in_products: () =>
    'Dieser Artikel ist Komponente von Produkten und kann deshalb nicht gelöscht werden. Entfernen Sie ihn dort zuerst.',
  type_in_use: () => 'Diese Kategorie enthält Artikel, deshalb lässt sich ihre Art nicht ändern.',
  storage_full: () =>
    'Der Speicherplatz Ihrer Firma ist aufgebraucht, deshalb wurde nichts gespeichert. Bitten Sie Ihren Anbieter um mehr.',
  last_owner: () => 'Eine Firma braucht mindestens einen Inhaber. Machen Sie zuerst jemand anderen zum Inhaber.',
  email_taken: () => 'Diese E-Mail-Adresse ist schon vergeben. Geben Sie eine andere ein.',
  too_many_companies: () => 'Diese E-Mail-Adresse wird schon in zu vielen Firmen verwendet. Geben Sie eine andere ein.',
  company_signed_out: () => 'Sie sind bei dieser Firma nicht mehr angemeldet. Melden Sie sich neu an.',
  timezone_not_found: () => 'Wählen Sie eine Zeitzone aus der Liste.',
  invitation_gone: () => 'Diese Einladung ist abgelaufen. Bitten Sie um eine neue.',
  link_gone: () =>
    'Dieser Link funktioniert nicht mehr: Er wurde schon verwendet oder ist abgelaufen. Fordern Sie einen neuen an.',
  no_mails: () => 'Dieser Server sendet keine E-Mails. Wenden Sie sich an den Betreiber.',
  password_common: () => 'Dieses Passwort ist leicht zu erraten. Wählen Sie ein anderes.',
  wrong_password: () => 'Falsches Passwort. Versuchen Sie es erneut.',
  wrong_company_name: () => 'Geben Sie den Namen der Firma genau ein.',
  test_company: () => 'Das ist in einer Testfirma nicht möglich. Wechseln Sie zu Ihrer Firma.',
  company_too_large: () =>
    'Die Firma ist zu groß, um hier kopiert zu werden. Wenden Sie sich an den Betreiber des Servers.',
  test_company_too_early: () => 'Die Testfirma wurde gerade erst angelegt. Versuchen Sie es in einigen Minuten erneut.',
  no_test_company: () => 'Es gibt noch keine Testfirma. Legen Sie zuerst eine an.',
  not_in_test_company: () => 'Die Testfirma wurde angelegt, bevor Sie Inhaber wurden. Legen Sie sie neu an.',
  wrong_credentials: () => 'E-Mail oder Passwort ist falsch. Versuchen Sie es erneut.',
  wrong_code: () => 'Falscher Code. Jeder Code gilt nur einmal.',
  wrong_passkey: () =>
    'Dieser Passkey wird nicht angenommen. Versuchen Sie es noch einmal oder melden Sie sich anders an.',
  passkeys_off: () => 'Dieser Server hat keine Passkeys.',
  single_sign_on_off: () => 'Dieser Server hat kein Single Sign-on.',
  provider_failed: () =>
    'Der Identitätsanbieter hat die Anmeldung nicht bestätigt. Die Inhaber Ihrer Firma sehen den Grund unter Sicherheit.',
  provider_user_unknown: () =>
    'Zu diesem Konto gehört kein Benutzer Ihrer Firma. Bitten Sie einen Inhaber, die E-Mail-Adresse des Kontos einzuladen.',
  sign_in_expired: () => 'Das hat zu lange gedauert. Geben Sie Ihr Passwort noch einmal ein.',
  second_factor_exists: () => 'Das ist schon eingerichtet. Laden Sie die Seite neu.',
  second_factor_missing: () => 'Es gibt keinen zweiten Faktor. Laden Sie die Seite neu.',
  second_factor_required: () => 'Richten Sie zuerst einen zweiten Faktor ein.',
  own_second_factor_first: () => 'Richten Sie zuerst in Ihrem Profil Ihren eigenen zweiten Faktor ein.',
  fresh_sign_in_required: () => 'Bestätigen Sie, dass Sie es sind, um fortzufahren.',
  sign_up_closed: () => 'Auf diesem Server ist die Registrierung geschlossen. Wenden Sie sich an den Betreiber.',
  changed_meanwhile: () => 'Jemand anderes hat dies geändert. Laden Sie die Seite neu.',
  feed_restarted: () => 'Diese Seite ist nicht mehr aktuell. Laden Sie sie neu.',
  external_id_taken: ({ value }) => `Diese externe ID gehört schon zu Datensatz ${value ?? ''}.`,
  role_forbids: () => 'Ihre Rolle erlaubt das nicht. Fragen Sie einen Inhaber der Firma.',
  signed_out: () => 'Sie sind abgemeldet. Melden Sie sich an, um fortzufahren.',
  another_user: () => 'In diesem Browser ist jemand anderes angemeldet. Laden Sie die Seite neu.',
  other_site: () =>
    'Der Server akzeptiert diese Adresse nicht. Öffnen Sie die Adresse, die als PUBLIC_ORIGIN eingestellt ist.',
}
