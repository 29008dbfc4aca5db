// The routes to manage keys and teams: a team its own keys, the operator all teams and their keys.
import type { ErrorCode } from '../errors/errors.ts';
import {
  changeKeyRequest,
  changeTeamRequest,
  createKeyRequest,
  createTeamRequest,
  keyResponse,
  listKeysResponse,
  listTeamsResponse,
  newKeyResponse,
  rotateKeyRequest,
  teamResponse,
} from './keys.ts';

const OWN = '/v2/team/keys';
const TEAMS = '/v2/teams';
const KEYS = `${TEAMS}/:id/keys` as const;

/** What the operator alone may do fails with these. */
const OPERATORS: readonly ErrorCode[] = ['OPERATOR_ONLY', 'TEAM_NOT_FOUND'];
const ONE: readonly ErrorCode[] = ['KEY_NOT_FOUND', 'LAST_OPERATOR_KEY'];

export const KEY_ROUTES = {
  listKeys: { method: 'GET', path: OWN, summary: 'List the keys of your team', response: listKeysResponse },
  createKey: {
    method: 'POST',
    path: OWN,
    summary: 'Create a key for your team',
    request: createKeyRequest,
    response: newKeyResponse,
    fails: ['TOO_MANY_KEYS'],
  },
  changeKey: {
    method: 'PATCH',
    path: `${OWN}/:id`,
    summary: 'Change the label, the limits or the expiry of a key',
    request: changeKeyRequest,
    response: keyResponse,
    fails: ONE,
  },
  revokeKey: {
    method: 'DELETE',
    path: `${OWN}/:id`,
    summary: 'Revoke a key at once',
    response: keyResponse,
    fails: ONE,
  },
  rotateKey: {
    method: 'POST',
    path: `${OWN}/:id/rotate`,
    summary: 'Replace a key by a new one with the same limits',
    request: rotateKeyRequest,
    response: newKeyResponse,
    fails: ['KEY_NOT_FOUND'],
  },
  listTeams: {
    method: 'GET',
    path: TEAMS,
    summary: 'List all teams (operator)',
    response: listTeamsResponse,
    fails: ['OPERATOR_ONLY'],
  },
  createTeam: {
    method: 'POST',
    path: TEAMS,
    summary: 'Create a team (operator)',
    request: createTeamRequest,
    response: teamResponse,
    fails: ['OPERATOR_ONLY', 'TEAM_EXISTS'],
  },
  getTeam: {
    method: 'GET',
    path: `${TEAMS}/:id`,
    summary: 'Get a team, its settings and its limits (operator)',
    response: teamResponse,
    fails: OPERATORS,
  },
  changeTeam: {
    method: 'PATCH',
    path: `${TEAMS}/:id`,
    summary: 'Change the settings of a team (operator)',
    request: changeTeamRequest,
    response: teamResponse,
    fails: OPERATORS,
  },
  listTeamKeys: {
    method: 'GET',
    path: KEYS,
    summary: 'List the keys of a team (operator)',
    response: listKeysResponse,
    fails: OPERATORS,
  },
  createTeamKey: {
    method: 'POST',
    path: KEYS,
    summary: 'Create a key for a team (operator)',
    request: createKeyRequest,
    response: newKeyResponse,
    fails: [...OPERATORS, 'TOO_MANY_KEYS'],
  },
  changeTeamKey: {
    method: 'PATCH',
    path: `${KEYS}/:keyId`,
    summary: 'Change the label, the limits or the expiry of a key of a team (operator)',
    request: changeKeyRequest,
    response: keyResponse,
    fails: [...OPERATORS, ...ONE],
  },
  revokeTeamKey: {
    method: 'DELETE',
    path: `${KEYS}/:keyId`,
    summary: 'Revoke a key of a team at once (operator)',
    response: keyResponse,
    fails: [...OPERATORS, ...ONE],
  },
  rotateTeamKey: {
    method: 'POST',
    path: `${KEYS}/:keyId/rotate`,
    summary: 'Replace a key of a team by a new one with the same limits (operator)',
    request: rotateKeyRequest,
    response: newKeyResponse,
    fails: [...OPERATORS, 'KEY_NOT_FOUND'],
  },
} as const;
