import { type Fields, list, only } from './format.js';

const versionOf = (text: unknown): number[] => String(text).split('.').map(Number);
function atLeast(a: number[], b: number[]): boolean {
  for (let i = 0; i < 3; i++) if ((a[i] ?? 0) !== (b[i] ?? 0)) return (a[i] ?? 0) > (b[i] ?? 0);
  return true;
}

/** Whether the requirements (`runOnRequirements`) admit a replica set of that version with one member and no authentication. */
export function admitted(requirements: unknown, version: string): boolean {
  const all = list(requirements);
  return all.length === 0 || all.some((one) => isMet(one, version));
}

const known = ['minServerVersion', 'maxServerVersion', 'topologies', 'auth', 'authMechanism', 'csfle', 'serverless'];

function isMet(one: Fields, version: string): boolean {
  only(one, known, 'the requirement');
  const { minServerVersion: least, maxServerVersion: most, topologies } = one;
  if (least !== undefined && !atLeast(versionOf(version), versionOf(least))) return false;
  if (most !== undefined && !atLeast(versionOf(most), versionOf(version))) return false;
  if (Array.isArray(topologies) && !topologies.includes('replicaset')) return false;
  if (one['auth'] === true || one['authMechanism'] !== undefined || one['serverless'] === 'require') return false;
  return one['csfle'] === undefined || one['csfle'] === false;
}
