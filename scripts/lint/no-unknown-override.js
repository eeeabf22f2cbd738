// A rule for ESLint: `{ ...value, method: () => … }` in the place of a value must not set a method that the value does not have. The compiler
// accepts it, since it does not look for excess properties beside a spread, and a test that replaces a renamed method then tests nothing.
import ts from 'typescript';

export const noUnknownOverride = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { unknown: '{{ spread }} has no {{ name }}, so that nobody calls this function; use a name that it has' },
  },
  create(context) {
    const services = context.sourceCode.parserServices;
    const checker = services.program.getTypeChecker();

    /** Returns true if the type has the property, or may have any. */
    const has = (type, name) =>
      (type.flags & ts.TypeFlags.Any) !== 0 ||
      (type.isUnion() ? type.types : [type]).some(
        (one) =>
          checker.getPropertyOfType(checker.getApparentType(one), name) !== undefined ||
          checker.getIndexInfoOfType(one, ts.IndexKind.String) !== undefined,
      );

    /** Returns true if the object stands where a value of the same kind is expected: by its type, or as `part: { ...whole.part }`. */
    const standsInFor = (node, spreads, name) => {
      const expected = checker.getContextualType(services.esTreeNodeToTSNodeMap.get(node));
      if (expected !== undefined && (expected.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) === 0)
        return !has(expected, name);
      const { parent } = node;
      return (
        parent.type === 'Property' &&
        parent.key.type === 'Identifier' &&
        spreads.some((spread) => spread.type === 'MemberExpression' && spread.property.name === parent.key.name)
      );
    };

    return {
      ObjectExpression(node) {
        const spreads = node.properties.filter(({ type }) => type === 'SpreadElement').map((spread) => spread.argument);
        if (spreads.length === 0) return;
        for (const property of node.properties) {
          if (property.type !== 'Property' || property.computed) continue;
          if (!/^(ArrowFunction|Function)Expression$/.test(property.value.type)) continue;
          const name = String(property.key.name ?? property.key.value);
          if (spreads.some((spread) => has(services.getTypeAtLocation(spread), name))) continue;
          if (!standsInFor(node, spreads, name)) continue;
          const spread = spreads.map((one) => context.sourceCode.getText(one)).join(' or ');
          context.report({ node: property, messageId: 'unknown', data: { name, spread } });
        }
      },
    };
  },
};
