"""What the files say, as frozen typed models. No I/O, no judgement."""
