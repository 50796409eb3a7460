const RAW = new Set(['input', 'select', 'textarea']);

/**
 * Fields come from the form kit, which connects label, hint and error.
 * @type {import('eslint').Rule.RuleModule}
 */
export const rawInputs = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { raw: 'Use a field of ui/form instead of <{{name}}>.' },
  },
  create: (context) => ({
    JSXOpeningElement(node) {
      const { name } = node.name;
      if (RAW.has(name)) context.report({ node, messageId: 'raw', data: { name } });
    },
  }),
};
