"""A model of a few weights, a tokenizer of bytes, and a trainer in which the model's answers are written down."""

import json
from pathlib import Path

import torch
import trl
from datasets import Dataset
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from transformers.trainer_callback import PrinterCallback
from trl import GRPOConfig, GRPOTrainer

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
PLAIN = ["<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>"]


def tokenizer():
    """A token for each byte, and those of the chat template of Qwen 3, which comes with TRL."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE(vocab={letter: place for place, letter in enumerate(letters)}, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken(text, special=True) for text in SPECIAL])
    made.add_tokens([AddedToken(text, special=False) for text in PLAIN])
    found = PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    found.chat_template = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text()
    return found


def call(name, **arguments):
    """An answer that calls a tool, as Qwen 3 writes it."""
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"


class Scripted(GRPOTrainer):
    """TRL's trainer, whose model says what `answer` returns for the text of the prompt: everything else is TRL's."""

    def __init__(self, answer, *words, **more):
        super().__init__(*words, **more)
        self.remove_callback(PrinterCallback)
        self.answer = answer
        self.asked = []

        def generate(input_ids, **_):
            said = []
            for ids in input_ids:
                prompt = self.processing_class.decode(ids).replace("<|endoftext|>", "")
                self.asked.append(prompt)
                said.append(self.processing_class(f"{self.answer(prompt)}<|im_end|>")["input_ids"])
            most = max(map(len, said))
            pad = self.processing_class.pad_token_id
            rows = [[*ids, *answer, *[pad] * (most - len(answer))] for ids, answer in zip(input_ids.tolist(), said, strict=True)]
            return torch.tensor(rows)

        self.model.generate = generate


def trainer(folder, answer, environment, prompts, **more):
    """A trainer for one step, with groups of two."""
    chars = tokenizer()
    torch.manual_seed(0)
    config = Qwen3Config(vocab_size=len(chars), hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
                         num_key_value_heads=2, head_dim=8, max_position_embeddings=8192, eos_token_id=chars.eos_token_id, pad_token_id=chars.pad_token_id)
    settings = GRPOConfig(output_dir=str(folder), per_device_train_batch_size=2 * len(prompts), num_generations=2, max_completion_length=2000, max_steps=1,
                          use_cpu=True, report_to="none", save_strategy="no", logging_steps=1, disable_tqdm=True)
    rows = Dataset.from_list([{"prompt": [{"role": "user", "content": prompt}]} for prompt in prompts])
    return Scripted(answer, Qwen3ForCausalLM(config), args=settings, train_dataset=rows, processing_class=chars, environment_factory=environment, **more)


def stands_in(answer, folder):
    """What stands in for `GRPOTrainer` on the page: the trainer above, whatever model the page names."""

    def made(model, train_dataset, environment_factory):
        del model
        return trainer(folder, answer, environment_factory, [row["prompt"][0]["content"] for row in train_dataset])

    return made
