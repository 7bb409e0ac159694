import { expect, it } from '@jest/globals';
import { type FieldProblem, fieldsHeader } from './fields-header.js';

const valueOf = (problems: readonly FieldProblem[]): string => fieldsHeader(problems)['X-Error-Fields'] ?? '';

it('has each problem with its field, its rule and the numbers of the rule', () => {
  const problems: FieldProblem[] = [
    { field: 'name', rule: 'length', params: { minLength: 1, maxLength: 80 } },
    { field: 'items.0.quantity', rule: 'required' },
  ];
  expect(JSON.parse(valueOf(problems))).toEqual(problems);
});

it('has only printable ASCII, whatever a field is called', () => {
  const problem: FieldProblem = { field: 'é\n\x7f\u{1f600}"\u2028', rule: 'unknown' };
  expect(valueOf([problem])).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(valueOf([problem]))).toEqual([problem]);
});

it('leaves out what does not fit into 4 KB, and is absent without a problem', () => {
  const problems = Array.from({ length: 30 }, (_, index): FieldProblem => ({
    field: `${index}é`.repeat(99),
    rule: 'unknown',
  }));
  expect(valueOf(problems).length).toBeLessThanOrEqual(4_096);
  expect((JSON.parse(valueOf(problems)) as object[]).length).toBeGreaterThan(1);
  expect(fieldsHeader([])).toEqual({});
});
