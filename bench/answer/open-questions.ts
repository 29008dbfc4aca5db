// Questions about the open sites, for setting thresholds.
import type { AskedQuestion } from './asked-question.ts';

export const openQuestions: readonly AskedQuestion[] = [
  { question: 'How long is the Tern Bridge?', answers: ['142 metres'] },
  { question: 'Who designed the Tern Bridge in Larkspur?', answers: ['Okafor Lindqvist'] },
  { question: 'When will the Tern Bridge open?', answers: ['18 July 2026'] },
  {
    question: 'Which councillors voted against opening the libraries on Sundays?',
    answers: ['Edith Marrow and Paul Tanaka'],
  },
  { question: 'What is the default of max_in_flight in QuillMQ v3?', answers: ['256'] },
  { question: 'How do I rotate the signing key in QuillMQ?', answers: ['quill keys rotate'] },
  { question: 'What do students pay for a season with the Anchor Quay Singers?', answers: ['£40'] },
  { question: 'Who is the treasurer of the Anchor Quay Singers?', answers: ['Hamid Farrokhzad'] },
  { question: 'Was kostet der Standardversand bei Bergkamm Ausrüstung?', answers: ['5,90'] },
  { question: 'Which file replaced ember.json in Emberbuild 5?', answers: ['ember.toml'] },
  { question: 'How many rounds of tucks does a splice in polyester rope need?', answers: ['seven'] },
  { question: 'How long does the hand of a tide clock take to go round once?', answers: ['12 hours and 25 minutes'] },
  { question: 'On which port does tidebook serve listen?', answers: ['7070'] },
  {
    question: 'What are the total expenditures in the adopted budget of Wrenfield for 2026?',
    answers: ['48,310,000'],
  },
  { question: 'How many passengers did the ferry in Larkspur carry?', answers: [] },
  { question: 'Who designed the library in Larkspur?', answers: [] },
  { question: 'What is the default of max_retries in QuillMQ v3?', answers: [] },
  { question: 'Who founded the Anchor Quay Singers?', answers: [] },
  { question: 'How much does Emberbuild cost per seat?', answers: [] },
  { question: 'What does a ticket to the Saltmarsh lighthouse cost?', answers: [] },
];
