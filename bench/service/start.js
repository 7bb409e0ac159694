// Measures the time from the start of the process to the first response of the service, with the embedded store in its process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../test/support/start-service.js';
import { disconnect, median, send } from '../http.js';
import { table } from './report.js';

const LATER_STARTS = 3;

async function msToFirstResponse(dataDir) {
  const began = performance.now();
  const service = startService({ dataDir, env: { DEMO: 'true' } });
  try {
    await send(`${await service.started()}/api/v2/health/live`);
    return performance.now() - began;
  } finally {
    disconnect();
    await service.stop('SIGTERM');
  }
}

/** @returns a table */
export async function measureStart() {
  const dataDir = mkdtempSync(join(tmpdir(), 'shop-platform-bench-'));
  try {
    const first = await msToFirstResponse(dataDir);
    const later = [];
    while (later.length < LATER_STARTS) later.push(await msToFirstResponse(dataDir));
    return table(
      ['From the start of the process to the first response', 'Milliseconds'],
      [
        ['the first start, which makes the demo shop', first.toFixed(0)],
        [`a later start (median of ${LATER_STARTS})`, median(later).toFixed(0)],
      ],
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
