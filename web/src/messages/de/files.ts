// Texts about files: pictures of items, and what is attached to items and documents.

import { plural } from './plural.ts'

export const files = {
  title: 'Dateien',
  add: 'Dateien hinzufügen',
  hint: 'Bilder und PDF, je höchstens 5 MB',
  full: (limit: number) => `Mehr als ${limit} Dateien sind nicht möglich. Löschen Sie zuerst eine.`,
  empty: 'Noch keine Dateien.',
  emptyAdd: 'Noch keine Dateien. Fügen Sie Zeichnungen, Lieferscheine oder Fotos hinzu, oder legen Sie sie hier ab.',
  added: (n: number) => `${plural(n, 'Datei', 'Dateien')} hinzugefügt`,
  delete: 'Löschen',
  deleteNamed: (name: string) => `${name} löschen`,
  deleteTitle: 'Datei löschen',
  deleteText: (name: string) => `${name} wird endgültig gelöscht.`,
  deleted: (name: string) => `${name} gelöscht`,
  kilobytes: (amount: string) => `${amount} kB`,
  megabytes: (amount: string) => `${amount} MB`,
  addPicture: 'Bild hinzufügen',
  openPicture: (name: string) => `Bild von ${name}`,
  replacePicture: 'Ersetzen',
  removePicture: 'Bild entfernen',
  pictureSaved: 'Bild gespeichert',
  pictureRemoved: 'Bild entfernt',
  tooLarge: (name: string) => `${name} ist zu groß. Eine PDF darf bis zu 5 MB haben, ein Bild bis zu 40 MB.`,
  wrongType: (name: string) => `${name} ist weder ein Bild noch eine PDF.`,
  unreadable: (name: string) =>
    name === '' ? 'Das Bild kann nicht gelesen werden.' : `${name} kann nicht als Bild gelesen werden.`,
}
