// Texts shared by documents other than sales.

export const documents = {
  changeState: (num: string, state: string) => `${num} is ${state}. Change its state`,
  number: 'Number',
  numberNext: 'The next free one',
  date: 'Date',
  notes: 'Notes',
  productsStorage: 'Products at',
  materialsStorage: 'Materials at',
  amount: 'Quantity',
  lines: 'Lines',
  cost: 'Cost',
  source: 'Source',
  state: 'State',
  item: 'Item',
  storage: 'Storage location',
  days: 'Date',
  copy: 'Copy',
  delete: 'Delete',
  cancel: 'Cancel',
  create: 'Create',
  effectTab: 'Stock effect',
  historyTab: 'History',
  notSaved: 'Not saved. What you changed is still here.',
  saving: (name: string) => {
    const within = name.charAt(0).toLowerCase() + name.slice(1)
    return { title: `Save ${within}?`, lead: `Saves ${within}`, label: 'Save' }
  },
  readOnly: 'Your role may look at this, not change it.',
  day: (day: string) => `on ${day}`,
} as const
