// Encodes the images of a folder, one after the other. Prints a line of JSON for each: what became of it, what of `traces` is in the files
// that would be kept, and how much memory the process needed for it at most, in MiB.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import sharp from 'sharp';

const [, , folder, ...traces] = process.argv;
const { ImageCodec } = await import(new URL('../../dist/shops/images/image-codec.js', import.meta.url).href);
const codec = new ImageCodec();
const status = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))[1]);

async function encode(bytes) {
  try {
    const { files } = await codec.encode(bytes);
    const left = [];
    for (const file of files.values()) {
      const { exif, icc, xmp, iptc, pages, format } = await sharp(file).metadata();
      if (format !== 'webp') left.push(format);
      left.push(
        ...Object.keys({ exif, icc, xmp, iptc, pages }).filter(
          (name) => ({ exif, icc, xmp, iptc, pages })[name] !== undefined,
        ),
      );
      left.push(...traces.filter((trace) => file.includes(trace, 0, 'latin1')));
    }
    return { outcome: 'kept', left };
  } catch (error) {
    return { outcome: error.code ?? String(error), left: [] };
  }
}

// The library is loaded with the first image.
await encode(
  await sharp({ create: { width: 64, height: 64, channels: 3, background: '#123' } })
    .png()
    .toBuffer(),
);
for (const name of readdirSync(folder).sort()) {
  const bytes = readFileSync(join(folder, name));
  globalThis.gc();
  // From here on the kernel measures the peak anew.
  writeFileSync('/proc/self/clear_refs', '5');
  const before = status('VmRSS');
  let longestTurnMs = 0;
  let isRunning = true;
  const turns = (async () => {
    while (isRunning) {
      const began = performance.now();
      await setImmediate();
      longestTurnMs = Math.max(longestTurnMs, performance.now() - began);
    }
  })();
  const result = await encode(bytes);
  isRunning = false;
  await turns;
  console.log(JSON.stringify({ name, ...result, mebibytes: (status('VmHWM') - before) / 1_024, longestTurnMs }));
}
