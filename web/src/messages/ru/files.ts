// Texts about files: pictures of items, and what is attached to items and documents.

import { plural } from './plural.ts'

export const files = {
  title: 'Файлы',
  add: 'Добавить файлы',
  hint: 'Изображения и PDF, до 5 МБ каждый',
  full: (limit: number) => `Файлов может быть не больше ${limit}. Сначала удалите один из них.`,
  empty: 'Файлов пока нет.',
  emptyAdd: 'Файлов пока нет. Добавьте чертежи, накладные или фотографии либо перетащите их сюда.',
  added: (n: number) => `Добавлено: ${plural(n, 'файл', 'файла', 'файлов')}`,
  delete: 'Удалить',
  deleteNamed: (name: string) => `Удалить ${name}`,
  deleteTitle: 'Удалить файл',
  deleteText: (name: string) => `${name} будет удалён безвозвратно.`,
  deleted: (name: string) => `${name} удалён`,
  kilobytes: (amount: string) => `${amount} КБ`,
  megabytes: (amount: string) => `${amount} МБ`,
  addPicture: 'Добавить изображение',
  openPicture: (name: string) => `Изображение: ${name}`,
  replacePicture: 'Заменить',
  removePicture: 'Удалить изображение',
  pictureSaved: 'Изображение сохранено',
  pictureRemoved: 'Изображение удалено',
  tooLarge: (name: string) => `${name}: слишком большой файл. PDF — до 5 МБ, изображение — до 40 МБ.`,
  wrongType: (name: string) => `${name}: это не изображение и не PDF.`,
  unreadable: (name: string) =>
    name === '' ? 'Не удалось прочитать изображение.' : `${name}: не удалось прочитать как изображение.`,
}
