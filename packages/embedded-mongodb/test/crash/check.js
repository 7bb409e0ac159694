import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Opens a data directory with the compiled store and returns a line for each problem, see `src/storage/check.ts`. */
export async function checkDirectory(dist, path) {
  const load = (file) => import(pathToFileURL(join(dist, file)).href);
  const [{ Engine }, { checkData }] = await Promise.all([load('engine.js'), load('storage/check.js')]);
  const engine = await Engine.open(path);
  try {
    return checkData(engine.disk, engine.catalogue);
  } finally {
    await engine.close();
  }
}
