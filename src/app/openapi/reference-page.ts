import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type NextFunction, type Request, type Response, Router } from 'express';
import { sendCompressed, sendFile } from '../../http/responses/compression.js';

/** As far from `src/app/openapi` as from `dist/app/openapi`. */
const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'templates/reference');
const { resolve } = createRequire(import.meta.url);
const [HTML, JS, CSS] = ['text/html; charset=utf-8', 'text/javascript; charset=utf-8', 'text/css; charset=utf-8'];

/** Each file of the page with its type, by the path below the page. */
const FILES: Readonly<Record<string, readonly [path: string, type: string]>> = {
  '/': [join(FOLDER, 'index.html'), HTML],
  '/reference.js': [join(FOLDER, 'reference.js'), JS],
  '/reference.css': [join(FOLDER, 'reference.css'), CSS],
  '/swagger-ui-bundle.js': [resolve('swagger-ui-dist/swagger-ui-bundle.js'), JS],
  '/swagger-ui.css': [resolve('swagger-ui-dist/swagger-ui.css'), CSS],
};

/** Nothing from elsewhere, and no script or style in the page itself. The pictures of Swagger UI are in its style sheet. */
const POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

/** `llms.txt` and the pages that it links to, under their paths in the repository, so that their links to one another work. */
const GUIDES: readonly string[] = [
  'llms.txt',
  ...[...readFileSync(join(ROOT, 'llms.txt'), 'utf8').matchAll(/\]\((.*?)\)/g)].map(([, path = '']) => path),
];

/** The documentation page, which reads the OpenAPI document and the guides beside it. @param caching of its files */
export function referencePage(caching: string): Router {
  const router = Router({ strict: true });
  for (const [path, [file, type]] of Object.entries(FILES)) {
    const content = readFileSync(file);
    router.get(path, (_request: Request, response: Response, next: NextFunction) => {
      response.set({ 'Content-Type': type, 'Cache-Control': caching, Vary: 'Accept-Encoding' });
      response.set('Content-Security-Policy', POLICY);
      sendFile(response, content).catch(next);
    });
  }
  for (const path of GUIDES) {
    router.get(`/${path}`, (_request: Request, response: Response, next: NextFunction) => {
      // Browsers show Markdown as text, and save what has the type of Markdown.
      response.set({ 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': caching, Vary: 'Accept-Encoding' });
      readFile(join(ROOT, path))
        .then((content) => sendCompressed(response, content))
        .catch(next);
    });
  }
  return router;
}
