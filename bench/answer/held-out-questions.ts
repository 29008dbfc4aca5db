// Questions about the held-out sites, which no threshold was set with. Written before the code that answers them.
import type { AskedQuestion } from './asked-question.ts';

export const heldOutQuestions: readonly AskedQuestion[] = [
  { question: "Who is the head of the cardiology department at St Brigid's Hospital?", answers: ['Nkechi Obiora'] },
  {
    question: "What are the visiting hours of the general wards at St Brigid's Hospital?",
    answers: ['2 pm to 8 pm'],
  },
  { question: 'How many visitors may be at a bed in the hospital?', answers: ['Two visitors', 'Two'] },
  { question: 'What does a first parking permit for residents cost in Oosterveen in 2026?', answers: ['74.40'] },
  { question: 'On which day is the weekly market in Oosterveen held?', answers: ['Friday'] },
  { question: 'Who is the market master of Oosterveen?', answers: ['Wim Hoekstra'] },
  { question: 'What is the fee for Bookbinding at Westmere College?', answers: ['168'] },
  { question: 'How much do the materials for Silver jewellery cost?', answers: ['60'] },
  { question: 'Who won the women 5000 m at the Caldera Cup?', answers: ['Amaru Quispe'] },
  { question: 'Where did the Caldera Cup 2026 take place?', answers: ['Volcano Hall'] },
  { question: 'At what time does Akiko Hoshino speak at Soil Science 2026?', answers: ['14:15'] },
  { question: '¿Cuándo reabre el Museo del Agua?', answers: ['22 de mayo de 2026'] },
  { question: 'What is the rent of 7 Weir View?', answers: ['1,975'] },
  { question: 'Can I return a made-to-order pendant to Fenwick & Glow?', answers: ['cannot be returned'] },
  { question: "How many beds does St Brigid's Hospital have?", answers: [] },
  { question: 'What does a parking permit for companies cost in Oosterveen?', answers: [] },
  { question: 'Who teaches Bookbinding at Westmere College?', answers: [] },
  { question: "Who won the men's long jump at the Caldera Cup?", answers: [] },
  { question: 'What is the Wi-Fi password at Soil Science 2026?', answers: [] },
  { question: 'When was Fenwick & Glow founded?', answers: [] },
];
