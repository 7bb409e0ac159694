const SKINS = ['#f2c9a5', '#d9a57b', '#b07a52', '#8a5a3b', '#e8d3ff'];
const HAIRS = ['#2b2f3a', '#b9422f', '#5b4bb3', '#2f7d5b', '#8b5a2b', '#d7a13b'];
const EYES = ['#11151c', '#6b3fa0', '#1f7a44', '#1265b8'];

function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return hash;
}

/** A face of 8 x 8 points, made from a name: no other service learns it. */
export function Face({ name, size = 32 }: { readonly name: string; readonly size?: number }) {
  const hash = hashOf(name.toLowerCase());
  const [skin, hair, eye] = [
    SKINS[hash % SKINS.length],
    HAIRS[(hash >>> 5) % HAIRS.length],
    EYES[(hash >>> 10) % EYES.length],
  ];
  const hasFringe = (hash >>> 14) % 2 === 0;
  const hasBeard = (hash >>> 16) % 3 === 0;
  return (
    <svg className="face" viewBox="0 0 8 8" width={size} height={size} shapeRendering="crispEdges" aria-hidden="true">
      <path fill={skin} d="M0 0h8v8h-8z" />
      <path fill={hair} d={hasFringe ? 'M0 0h8v3h-8z' : 'M0 0h8v2h-8zM0 2h1v2h-1zM7 2h1v2h-1z'} />
      <path fill="#fff" d="M1 4h1v1h-1zM6 4h1v1h-1z" />
      <path fill={eye} d="M2 4h1v1h-1zM5 4h1v1h-1z" />
      <path fill={hasBeard ? hair : '#a8604c'} d={hasBeard ? 'M2 6h4v2h-4z' : 'M3 6h2v1h-2z'} />
    </svg>
  );
}
