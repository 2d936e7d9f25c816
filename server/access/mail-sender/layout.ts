// A mail as plain text and as HTML without images, scripts and remote content.

import type { CompanyLanguage } from '../first-records.ts'
import { type MailText, mailTexts } from './texts.ts'

export type LaidOut = { readonly subject: string; readonly text: string; readonly html: string }

/** Names come from users: they stay on one line, and a long one is shortened. */
export function nameInMail(name: string): string {
  const line = name.replace(/[\p{C}\s]+/gu, ' ').trim()
  return [...line].length <= 80 ? line : `${[...line].slice(0, 79).join('')}…`
}

export function layOut(language: CompanyLanguage, mail: MailText, origin: string, link: string | undefined): LaidOut {
  const { greeting, footer, linkHint } = mailTexts[language]
  const { subject, paragraphs, list = [], button = '', after = [] } = mail
  const lead = [greeting, ...paragraphs]
  const text = [
    ...lead,
    ...(list.length === 0 ? [] : [list.map((line) => `- ${line}`).join('\n')]),
    ...(link === undefined ? [] : [`${button}:\n${link}`]),
    ...after,
    `-- \n${footer(origin)}`,
  ]
  const shown = [
    ...lead.map(paragraph),
    ...(list.length === 0 ? [] : [`<ul>${list.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`]),
    ...(link === undefined
      ? []
      : [
          `<p style="margin:24px 0"><a href="${escaped(link)}" style="background:#1f6feb;color:#ffffff;padding:10px 18px;border-radius:6px;text-decoration:none">${escaped(button)}</a></p>`,
          `<p style="font-size:13px;color:#57606a">${escaped(linkHint)}<br><span style="word-break:break-all">${escaped(link)}</span></p>`,
        ]),
    ...after.map(paragraph),
    `<p style="font-size:13px;color:#57606a;border-top:1px solid #d0d7de;padding-top:12px">${escaped(footer(origin))}</p>`,
  ]
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    `<body style="margin:0;padding:24px;background:#f6f8fa"><div style="max-width:520px;margin:0 auto;padding:24px;background:#ffffff;font:15px/1.5 system-ui,sans-serif;color:#1f2328">`,
    ...shown,
    '</div></body></html>',
  ].join('\n')
  return { subject, text: `${text.join('\n\n')}\n`, html }
}

const paragraph = (text: string): string => `<p>${escaped(text)}</p>`

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
