import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { ReportedIntegerField, ReportedStringField } from './reported-fields.js';

class Report {
  @ReportedIntegerField({ minimum: 0, maximum: 100, description: 'Players.', example: 1 })
  players!: number;

  @ReportedStringField({ optional: true, nullable: true, maxLength: 8, description: 'Version.', example: '1.21' })
  version?: string | null;
}

function read(sent: object): unknown {
  const report = plainToInstance(Report, { players: 1, ...sent });
  const problems = validateSync(report).flatMap(({ constraints = {} }) => Object.values(constraints));
  return problems.length > 0 ? problems.map((problem) => problem.replace('$property', '')) : { ...report };
}

describe('a number in the report of a machine', () => {
  it.each([
    [0, 0],
    [100, 100],
    [-1, 0],
    [2_147_483_647, 100],
    [1.5, 2],
    [1e300, 100],
    [Infinity, 100],
  ])('reads %d as %d', (players, stored) => {
    expect(read({ players })).toEqual({ players: stored });
  });

  it.each(['1', null, [1], { $inc: 1 }, true, Number.NaN])('rejects %j', (players) => {
    expect(read({ players })).toEqual(['players must be a number']);
  });
});

describe('a string in the report of a machine', () => {
  it.each([
    ['1.21.4', '1.21.4'],
    [' 1.21.4\n', '1.21.4'],
    ['x'.repeat(200), 'x'.repeat(8)],
    ['\u001B[31mA', '[31mA'],
    [`1234567\u{1F600}`, '1234567'],
    ['1234567 9', '1234567'],
    ['', null],
    ['\u0000', null],
    [null, null],
  ])('reads %j as %j', (version, stored) => {
    expect(read({ version })).toEqual({ players: 1, version: stored });
  });

  it.each([5, true, { $ne: '' }])('rejects %j', (version) => {
    expect(read({ version })).toEqual(['version must be a string']);
  });
});
