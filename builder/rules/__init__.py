"""Pure judgement of a roster by rules that are data: query, evaluate, wording, explain."""
