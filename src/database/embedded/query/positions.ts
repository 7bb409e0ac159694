import { split } from '../values/paths.js';
import { type Doc, isDoc, type Maybe, type Value } from '../values/types.js';
import { compileFilter } from './matcher.js';
import { type Env } from './terms.js';

/** The position of the first array element that made the filter match, in the last of its clauses that goes through an array. */
export function matchedPosition(query: Doc, document: Doc, env: Env): number | undefined {
  let found: number | undefined;
  for (const [path, operand] of query) {
    if (path === '$and' && Array.isArray(operand))
      for (const part of operand) found = (isDoc(part) ? matchedPosition(part, document, env) : undefined) ?? found;
    if (path.startsWith('$')) continue;
    const parts = split(path);
    const predicate = compileFilter(new Map([[path, operand]]), env);
    for (let length = 1; length <= parts.length; length++) {
      const array = parts
        .slice(0, length)
        .reduce<Maybe>((value, part) => (isDoc(value) ? value.get(part) : undefined), document);
      if (!Array.isArray(array)) continue;
      const index = array.findIndex((element) => predicate(nested(parts.slice(0, length), [element])));
      if (index >= 0) found = index;
      break;
    }
  }
  return found;
}

const nested = (parts: readonly string[], value: Value): Value =>
  parts.reduceRight<Value>((inner, part) => new Map([[part, inner]]), value);
