// One page in every format, by the name of its file.
import type { Certificate } from './certificate.ts';
import { pageHtml } from './html.ts';
import { certificateJson } from './json.ts';
import { pageMarkdown } from './markdown.ts';
import { certificatePage } from './page.ts';

/** `certify.html`, `certify.md` and `certify.json`. */
export function certificateFiles(certificate: Certificate): Readonly<Record<string, string>> {
  const page = certificatePage(certificate);
  return {
    'certify.html': pageHtml(page),
    'certify.md': pageMarkdown(page),
    'certify.json': `${JSON.stringify(certificateJson(certificate), null, 2)}\n`,
  };
}
