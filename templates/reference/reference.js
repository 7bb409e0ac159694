// The documentation page: Swagger UI (swagger-ui-dist) with a search over operations, groups, and one credential at a time. What Swagger UI
// does not do itself is in its plugin system: https://swagger.io/docs/open-source-tools/swagger-ui/customization/plugin-api/

/** Beside the page: it works on every host and below every path where it is opened. */
const SPEC = new URL('openapi.json', location.href.replace(/#.*/, '')).href;

/** The guides in llms.txt: lines such as `- [title](path): what it is about`. */
async function readGuides() {
  const llms = await (await fetch(new URL('docs/llms.txt', SPEC))).text();
  const [, section = ''] = /^## Guides\n([^]*?)^## /m.exec(llms) ?? [];
  const lines = section.matchAll(/^- \[(.*?)\]\((.*?)\): (.*)$/gm);
  return [...lines].map(([, title, path, about]) => ({ title, about, href: new URL(`docs/${path}`, SPEC).href }));
}

const operationsOf = ({ paths }) => Object.values(paths).flatMap((path) => Object.values(path));

/** The example of a body with the fields that it needs, and no other. */
function neededFields(spec, schema) {
  const { example, enum: values, properties = {}, required = [] } = resolved(spec, schema);
  if (example !== undefined || values !== undefined) return example ?? values[0];
  return Object.fromEntries(required.map((name) => [name, neededFields(spec, properties[name])]));
}

function resolved({ components }, schema) {
  const { $ref } = schema;
  return $ref === undefined ? schema : { ...components.schemas[$ref.split('/').at(-1)], ...schema };
}

/** Examples of what a request can leave out are described and not filled in: who tries a list would ask for one record of the example. */
function withoutOptionalExamples(spec) {
  for (const { parameters, requestBody } of operationsOf(spec)) {
    const json = requestBody?.content['application/json'];
    if (json !== undefined) json.example = neededFields(spec, json.schema);
    for (const parameter of parameters.filter(({ required }) => required !== true)) {
      const example = parameter.example ?? parameter.schema.example;
      delete parameter.example;
      delete parameter.schema.example;
      if (example !== undefined) parameter.description += ` For example \`${example}\`.`;
    }
  }
  return spec;
}

/** @param groups each has its `name` and the names of its `tags` */
function referencePlugin({ groups, schemes, guides }) {
  const groupOf = new Map(groups.map(({ name, tags }) => [tags[0], name]));
  return (system) => {
    const { React } = system;
    const h = React.createElement;

    /** What a search finds is not folded. The first tag of a group has the heading of the group above it. */
    const inGroup = (Tag) => (props) => {
      const isSearching = typeof system.layoutSelectors.currentFilter() === 'string';
      const getConfigs = () => ({ ...props.getConfigs(), docExpansion: isSearching ? 'list' : 'none' });
      const heading = groupOf.get(props.tag);
      const tag = h(Tag, { ...props, getConfigs });
      return heading === undefined
        ? tag
        : h(React.Fragment, null, h('h2', { className: 'reference-group' }, heading), tag);
    };

    function Guides() {
      const line = ({ title, about, href }) =>
        h('li', { key: href }, h('a', { className: 'link', href }, title), `: ${about}`);
      return h('section', { className: 'reference-guides' }, h('h2', null, 'Guides'), h('ul', null, guides.map(line)));
    }

    function Search() {
      const search = ({ target }) => system.layoutActions.updateFilter(target.value === '' ? true : target.value);
      const field = h('input', { type: 'search', placeholder: 'refund, /orders, StaffOrders_list', onChange: search });
      return h('search', { className: 'reference-form' }, h('label', null, 'Search operations', field));
    }

    /** The one credential of all requests that are tried. */
    function Credential() {
      const [name, setName] = React.useState('');
      const [value, setValue] = React.useState('');
      const use = (nextName, nextValue) => {
        setName(nextName);
        setValue(nextValue);
        system.authActions.logout(Object.keys(schemes));
        if (nextName === '' || nextValue.trim() === '') return;
        const schema = system.specSelectors.securityDefinitions().get(nextName);
        system.authActions.authorize({ [nextName]: { name: nextName, schema, value: nextValue.trim() } });
      };
      const option = ([key, label]) => h('option', { key, value: key }, label);
      const choices = [['', 'None'], ...Object.entries(schemes)].map(option);
      const kind = h('select', { value: name, onChange: ({ target }) => use(target.value, '') }, choices);
      const field = h('input', {
        ...{ type: 'password', autoComplete: 'off', value, disabled: name === '' },
        onChange: ({ target }) => use(name, target.value),
      });
      const labelled = (text, control) => h('label', null, text, control);
      const parts = [labelled('Credential', kind), labelled('Its value', field)];
      return h('section', { className: 'reference-form', 'aria-label': 'Credential' }, ...parts);
    }

    const matches = (operation, words) => {
      const { path, method } = operation.toObject();
      const { summary = '', description = '', operationId = '' } = operation.get('operation').toObject();
      const text = `${method} ${path} ${operationId} ${summary} ${description}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
    return {
      fn: {
        opsFilter(taggedOperations, phrase) {
          const words = phrase.toLowerCase().split(/\s+/);
          return taggedOperations
            .map((tag, name) =>
              words.every((word) => name.toLowerCase().includes(word))
                ? tag
                : tag.set(
                    'operations',
                    tag.get('operations').filter((operation) => matches(operation, words)),
                  ),
            )
            .filter((tag) => tag.get('operations').size > 0);
        },
      },
      wrapComponents: {
        OperationTag: inGroup,
        // The whole line is a button already.
        DeepLink:
          () =>
          ({ text }) =>
            h('span', null, text),
        InfoContainer: (Info) => (props) => h('section', { 'aria-label': 'About' }, h(Info, props), h(Guides)),
        FilterContainer: () => Search,
        AuthorizeBtnContainer: () => Credential,
        ServersContainer: () => () => null,
        authorizeOperationBtn: () => () => null,
      },
    };
  };
}

/** Swagger UI names the controls of parameters only for eyes, and lets the keyboard not scroll its examples. */
function makeAccessible() {
  for (const row of document.querySelectorAll('tr[data-param-name]')) {
    for (const control of row.querySelectorAll('input, select, textarea')) {
      control.setAttribute('aria-label', row.dataset.paramName);
    }
  }
  for (const control of document.querySelectorAll(
    '.opblock-section-request-body :is(textarea, select):not([aria-label])',
  )) {
    control.setAttribute('aria-label', 'Request body');
  }
  for (const code of document.querySelectorAll('pre:not([tabindex])')) code.tabIndex = 0;
}

new MutationObserver(makeAccessible).observe(document.getElementById('reference'), { childList: true, subtree: true });

const [guides, spec] = await Promise.all([
  readGuides(),
  fetch(SPEC).then(async (response) => withoutOptionalExamples(await response.json())),
]);
globalThis.SwaggerUIBundle({
  spec,
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  filter: true,
  validatorUrl: null,
  // The session of the console is no credential of this page.
  requestInterceptor: (request) => Object.assign(request, { credentials: 'omit' }),
  plugins: [
    referencePlugin({
      guides,
      groups: spec['x-tagGroups'],
      schemes: { apiKey: 'API key (X-API-Key)', bearer: 'Access token (Authorization: Bearer)' },
    }),
  ],
});
