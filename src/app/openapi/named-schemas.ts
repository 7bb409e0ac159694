import {
  addSchema,
  type ApiDocument,
  type DocumentRule,
  isObject,
  type Json,
  type JsonObject,
  nameFrom,
  operationsOf,
  referenceTo,
  referredName,
  schemasUsedBy,
  visitObjects,
} from './api-document.js';

const propertiesOf = (schema: JsonObject): JsonObject => (isObject(schema['properties']) ? schema['properties'] : {});
const requiredOf = (schema: JsonObject): Json[] => (Array.isArray(schema['required']) ? schema['required'] : []);

/** The name of the class of a field; null: it has none. The generator of Nest puts the reference in `allOf`, beside the description. */
function classOf(field: JsonObject): string | null {
  const { allOf } = field;
  return referredName(Array.isArray(allOf) ? allOf[0] : field);
}

/** One field of several forms. Classes become one object, as the forms do. */
function mergedField(document: ApiDocument, fields: readonly JsonObject[]): JsonObject {
  const [first = {}] = fields;
  const names = [...new Set(fields.map(classOf))];
  if (names.length < 2 || names.includes(null)) return structuredClone(first);
  const { allOf: _, ...rest } = first;
  return { ...structuredClone(rest), ...mergedForms(document, names as string[]) };
}

/** One object for data that has one of several forms: what all forms have is required, and the rest is optional. */
function mergedForms(document: ApiDocument, names: readonly string[]): { $ref: string } {
  const { schemas } = document.components;
  const name = names.map(nameFrom).join('Or');
  if (name in schemas) return referenceTo(name);
  const forms = names.map((form) => schemas[form] ?? {});
  const fields = [...new Set(forms.flatMap((form) => Object.keys(propertiesOf(form))))];
  const of = (field: string): JsonObject[] => forms.map((form) => propertiesOf(form)[field]).filter(isObject);
  const descriptions = forms.map(({ description }) => (typeof description === 'string' ? description : ''));
  return addSchema(document, name, {
    type: 'object',
    description: `${descriptions.join(' Or: ')} A field that only one of the two has is optional.`,
    properties: Object.fromEntries(fields.map((field) => [field, mergedField(document, of(field))])),
    required: fields.filter((field) => forms.every((form) => requiredOf(form).includes(field))),
  });
}

/**
 * No `oneOf` without a discriminator: generated clients attempt one form after the other, and some accept none. The forms of a response
 * become one object (`RespondsWith`).
 */
export const withoutUndecidedChoices: DocumentRule = (document) => {
  visitObjects(document, (object) => {
    const { oneOf, discriminator } = object;
    if (!Array.isArray(oneOf) || discriminator !== undefined) return;
    delete object['oneOf'];
    Object.assign(
      object,
      mergedForms(
        document,
        oneOf.map((form) => referredName(form) ?? ''),
      ),
    );
  });
};

/** The envelope around one kind of data, under a name that ends with `Response` or `ListResponse`. */
function nameEnvelope(document: ApiDocument, schema: JsonObject): JsonObject {
  const { data } = propertiesOf(schema);
  if (!isObject(data)) return schema;
  const isList = data['type'] === 'array';
  const model = referredName(isList ? data['items'] : data);
  if (model === null) return schema;
  const name = `${nameFrom(model)}${isList ? 'List' : ''}Response`;
  return name in document.components.schemas ? referenceTo(name) : addSchema(document, name, schema);
}

/** Each envelope has a name: generated clients have one class for it instead of one for each operation. */
export const namedEnvelopes: DocumentRule = (document) => {
  for (const [, , { responses }] of operationsOf(document)) {
    const content = responses['200']?.['content'];
    const json = isObject(content) ? content['application/json'] : undefined;
    if (isObject(json) && isObject(json['schema'])) json['schema'] = nameEnvelope(document, json['schema']);
  }
};

/** No schema that nothing uses: the forms that became one object. `ShopEvent` is for whoever receives events. */
export const withoutUnused: DocumentRule = (document) => {
  const { components, paths, webhooks } = document;
  const used = schemasUsedBy(document, [paths, webhooks]);
  components.schemas = Object.fromEntries(
    Object.entries(components.schemas).filter(([name]) => used.has(name) || name === 'ShopEvent'),
  );
};
