import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** Any operation may return these. The document describes them once for the whole API. */
const GENERAL = [405, 408, 413, 415, 417, 429, 500, 503];
const ERROR_ENVELOPE = 'api#/components/schemas/ErrorEnvelope';

/** Read when the first response is checked: global-setup writes the file. */
let document;
let ajv;
/** Method and path template -> the operation, its template and the segments of the template. */
let operations;
const validators = new Map();

function load() {
  const file = process.env.TEST_OPENAPI_FILE;
  if (file === undefined) throw new Error('TEST_OPENAPI_FILE is missing: the global setup did not run');
  document = JSON.parse(readFileSync(file, 'utf8'));
  ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  // Clients accept other values; the service sends only these.
  ajv.addKeyword({ keyword: 'x-extensible-enum', macro: (values) => ({ enum: values }) });
  ajv.addSchema({ $id: 'api', ...document, components: closed(document.components) });
  operations = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method,
      template,
      segments: template.split('/'),
      parameters: template.split('{').length,
      operation,
    })),
  );
  operations.sort((left, right) => left.parameters - right.parameters);
}

/** Clients accept other fields, too; the service sends only these. */
function closed(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(closed);
  const copy = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, closed(child)]));
  const isObject = copy.type === 'object' && typeof copy.properties === 'object';
  return isObject ? { additionalProperties: false, ...copy } : copy;
}

function validatorOf(reference) {
  const known = validators.get(reference) ?? ajv.compile({ $ref: reference });
  validators.set(reference, known);
  return known;
}

/** The operation that a request belongs to: of several, the one with the fewest parameters in its path. */
function operationOf(method, path) {
  const parts = path.split('/');
  return operations.find(
    (candidate) =>
      candidate.method === method &&
      candidate.segments.length === parts.length &&
      candidate.segments.every((segment, at) => segment.startsWith('{') || segment === parts[at]),
  );
}

/** Escapes a key for a JSON pointer in a URI fragment (RFC 6901). */
const escaped = (key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

/**
 * Compares a JSON response with the OpenAPI document: its status is documented, and its body follows the schema.
 * @param path with the prefix `/api/v2`, and without the query
 * @returns what differs; null: nothing
 */
export function responseProblem(method, path, status, body) {
  if (document === undefined) load();
  const found = operationOf(method, path);
  let reference = ERROR_ENVELOPE;
  if (found !== undefined && !GENERAL.includes(status)) {
    const { template, operation } = found;
    if (operation.responses[status] === undefined) {
      return `${method.toUpperCase()} ${template} returned ${status}, which the OpenAPI document does not name`;
    }
    if (status < 400)
      reference = `api#/paths/${escaped(template)}/${method}/responses/${status}/content/application~1json/schema`;
  }
  const validate = validatorOf(reference);
  if (validate(body)) return null;
  const request = `${method.toUpperCase()} ${path} (${status})`;
  const errors = ajv.errorsText(validate.errors);
  return `The response to ${request} is not as documented: ${errors}\n${JSON.stringify(body, null, 2)}`;
}
