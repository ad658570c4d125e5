"""The knowledge files are consistent, and agree with the installed libraries."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
import warnings
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy
import pytest

import cvlint.analysis
from cvlint.analysis.models.dispatch.effects import FUNCTION_TRANSFERS, METHOD_TRANSFERS
from cvlint.knowledge.entry_keys import KEYS_OF_EFFECTS, NEEDED_KEYS, TYPES_OF_KEYS, VALID_VALUES, valid_keys
from cvlint.knowledge.identifiers import snake_case
from cvlint.knowledge.loader import Knowledge, load_knowledge
from cvlint.shipped_files import rules_folder
from tests.knowledge.public_names import NAMES, listed, signature_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

KINDS = {
    "label-ranking",
    "f-measure", "precision", "recall", "roc-auc", "average-precision", "jaccard", "accuracy", "ndcg", "top-k",
    "regression", "mcc", "kappa", "g-mean", "other",
}  # fmt: skip
AVERAGES = {"binary", "micro", "macro", "samples", "none", "multiclass", "report", "entities"}
PARTS = KINDS | {"support", "fpr", "tpr", "fnr", "threshold", "thresholds", "ci"}
COUNTS = ["tp", "fp", "fn", "tn"]


def files() -> list[Path]:
    return sorted((rules_folder() / "knowledge").glob("*.toml"))


@cache
def tables(kind: str) -> list[tuple[str, dict[str, Any]]]:
    found = []
    for path in files():
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        found += [(path.name, table) for table in data.get(kind, ())]
    return found


@cache
def aliases() -> dict[str, str]:
    found: dict[str, str] = {}
    for path in files():
        found |= tomllib.loads(path.read_text(encoding="utf-8")).get("aliases", {})
    return found


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def old_names(table: dict[str, Any]) -> set[str]:
    """Names that newer versions of the library no longer have: ``old`` lists them, or is true if all are old."""
    old = table.get("old", [])
    return set(table["names"] if old is True else old)


# --- the files by themselves


def test_every_entry_has_an_effect_and_names() -> None:
    for file, table in [*tables("entry"), *tables("method")]:
        where = f"{file}: {table}"
        assert table.get("effect"), where
        assert table.get("names"), where
        assert all(isinstance(name, str) and name for name in table["names"]), where
        assert old_names(table) <= set(table["names"]), where
    for file, table in tables("entry"):
        assert table.get("module"), f"{file}: {table}"


def test_every_effect_has_its_keys() -> None:
    for file, table in tables("entry"):
        where = f"{file}: {table['module']} {table['names']}"
        needed = {*NEEDED_KEYS.get(table["effect"], ()), *(["label", "params"] if table["effect"] == "measure" else [])}
        assert needed - table.keys() == set(), where
        valid = valid_keys(table["effect"])
        assert table.keys() - valid.keys() == set(), where
        assert all(isinstance(value, valid[key]) for key, value in table.items()), where
        assert all(table[key] in values for key, values in VALID_VALUES.items() if key in table), where


def test_every_key_is_used() -> None:
    used = {(table["effect"], key) for _, table in tables("entry") for key in table}
    assert {(effect, key) for effect, keys in KEYS_OF_EFFECTS.items() for key in keys} - used == set()
    assert TYPES_OF_KEYS.keys() == {key for keys in KEYS_OF_EFFECTS.values() for key in keys}


def test_every_effect_has_a_transfer_function() -> None:
    used = {kind: {table["effect"] for _, table in tables(kind)} for kind in ("entry", "method")}
    assert used["entry"] - FUNCTION_TRANSFERS.keys() == set()
    assert used["method"] - METHOD_TRANSFERS.keys() == set()


def test_facts_have_valid_values() -> None:
    for file, table in tables("entry"):
        where = f"{file}: {table['module']} {table['names']}"
        if table["effect"] in ("measure", "stateful-measure"):
            assert table["measure"] in KINDS, where
            assert table.get("average", "binary") in AVERAGES, where
            assert set(table.get("parts", ())) <= PARTS, where
            assert set(table.get("report", {}).values()) <= KINDS, where
            assert set(table.get("curves", {}).values()) <= KINDS, where
        if table["effect"] == "measure" and table.get("curve"):
            assert table.get("parts"), f"{where}: a curve has parts"
        if table["effect"] in ("cross-val", "evaluate-load"):
            assert set(table.get("measures", {}).values()) <= KINDS, where
        if table["effect"] == "measure" and table["params"][:4] != COUNTS:
            params = set(table["params"])
            assert "y_true" in params and len(params & {"y_pred", "y_score"}) == 1, where
        if table["effect"] in ("measure", "counts"):
            assert set(table.get("keywords", {}).values()) <= set(table["params"]), where
        if table["effect"] == "estimator":
            assert table["gives"] in ("hard", "scores", "as-last"), where
        if table["effect"] == "transformer":
            assert table.get("learns", "nothing") in ("nothing", "chance", "labels", "categories", "parts"), where


def test_no_name_is_given_twice() -> None:
    names = Counter(f"{table['module']}.{name}" for _, table in tables("entry") for name in table["names"])
    assert [name for name, count in names.items() if count > 1] == []


def test_no_method_is_given_twice() -> None:
    names = Counter(name for _, table in tables("method") for name in table["names"])
    assert [name for name, count in names.items() if count > 1] == []


def test_aliases_lead_somewhere_and_not_in_circles(knowledge: Knowledge) -> None:
    known = {table["module"] for _, table in tables("entry")}
    for alias, target in aliases().items():
        assert not f"{target}.".startswith(f"{alias}."), f"{alias} leads to itself"
        assert knowledge.canonical(f"{alias}.x") == f"{knowledge.canonical(target)}.x"
        final = knowledge.canonical(target)
        assert any(f"{module}.".startswith(f"{final}.") for module in known), f"nothing is known of {target}"


@pytest.mark.parametrize(
    ("tail", "name"),
    [
        ("f1_score", "sklearn.metrics.f1_score"),
        ("fbeta_score", "sklearn.metrics.fbeta_score"),
        ("roc_auc_score", "sklearn.metrics.roc_auc_score"),
        ("precision_recall_curve", "sklearn.metrics.precision_recall_curve"),
        ("confusion_matrix", "sklearn.metrics.confusion_matrix"),
        ("accuracy_score", "sklearn.metrics.accuracy_score"),
        ("Pipeline", "sklearn.pipeline.Pipeline"),
        ("LogisticRegression", "sklearn.linear_model.LogisticRegression"),
        ("StackingClassifier", "sklearn.ensemble.StackingClassifier"),
        ("SMOTE", "imblearn.over_sampling.SMOTE"),
        ("DataLoader", "torch.utils.data.DataLoader"),
        ("mean", "numpy.mean"),
        ("concatenate", "numpy.concatenate"),
        ("DataFrame", "pandas.DataFrame"),
        ("sum", "builtins.sum"),
    ],
)
def test_names_without_an_import_are_those_of_the_usual_library(knowledge: Knowledge, tail: str, name: str) -> None:
    assert knowledge.by_tail[tail] == name


@pytest.mark.parametrize("tail", ["precision", "recall", "accuracy", "auc", "cv", "train", "scale", "load", "Model"])
def test_everyday_words_need_an_import(knowledge: Knowledge, tail: str) -> None:
    assert tail not in knowledge.by_tail


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("sklearn.metrics.classification.f1_score", "sklearn.metrics.f1_score"),
        ("sklearn.cross_validation.KFold", "sklearn.model_selection.KFold"),
        ("sklearn.ensemble._forest.RandomForestClassifier", "sklearn.ensemble.RandomForestClassifier"),
        ("cuml.metrics.roc_auc_score", "sklearn.metrics.roc_auc_score"),
        ("torchmetrics.functional.classification.binary_f1_score", "torchmetrics.functional.binary_f1_score"),
        ("torchmetrics.functional.classification.f_beta.f1_score", "torchmetrics.functional.f1_score"),
        ("torchmetrics.classification.MulticlassF1Score", "torchmetrics.MulticlassF1Score"),
        ("tensorflow.keras.metrics.AUC", "keras.metrics.AUC"),
        ("tensorflow.python.keras.models.Sequential", "keras.models.Sequential"),
        ("tensorflow.compat.v1.keras.backend.mean", "keras.backend.mean"),
        ("tensorflow.math.reduce_mean", "tensorflow.reduce_mean"),
        ("keras.wrappers.scikit_learn.KerasClassifier", "scikeras.wrappers.KerasClassifier"),
        ("xgboost.sklearn.XGBClassifier", "xgboost.XGBClassifier"),
        ("dask.dataframe.concat", "pandas.concat"),
        ("jax.numpy.mean", "numpy.mean"),
    ],
)
def test_names_are_found_under_other_modules(knowledge: Knowledge, name: str, canonical: str) -> None:
    entry = knowledge.entry(name)
    assert entry is not None and entry.name == canonical


# --- against the libraries: installed ones, and the lists of the names of others


def libraries() -> list[str]:
    return sorted({table["module"].split(".")[0] for _, table in tables("entry")})


@cache
def is_installed(library: str) -> bool:
    return importlib.util.find_spec(library) is not None


@cache
def module(name: str) -> Any:
    if name.split(".")[0] == "sklearn":
        for experiment in ("enable_halving_search_cv", "enable_iterative_imputer"):
            importlib.import_module(f"sklearn.experimental.{experiment}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)


@cache
def resolve(name: str) -> Any:
    """The object of a dotted name, or None; the name can include attributes of classes."""
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            found = module(".".join(parts[:length]))
        except ImportError:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for part in parts[length:]:
                    found = getattr(found, part)
        except AttributeError:
            continue
        return found
    return None


def places(entry_module: str) -> list[str]:
    """The module of an entry, and the modules of its library that are aliases of it."""
    top = entry_module.split(".")[0]
    same = [alias for alias, target in aliases().items() if target == entry_module]
    return [entry_module, *(alias for alias in same if alias.split(".")[0] == top)]


def find(entry_module: str, name: str) -> Any:
    """The object of an entry of an installed library; it can be in a module that is an alias of the entry's."""
    return next((o for place in places(entry_module) if (o := resolve(f"{place}.{name}")) is not None), None)


def find_listed(entry_module: str, name: str) -> str | None:
    """The parameters that the list of a library has for the name of an entry; None where it is not in the list."""
    names = listed(entry_module.split(".")[0]) or {}
    return next((names[key] for place in places(entry_module) if (key := f"{place}.{name}") in names), None)


def exists(entry_module: str, name: str) -> bool:
    if name in ("nan", "inf"):  # None and numbers cannot be told from a name that is not there
        return True
    if (entry_module, name) == ("builtins", "display"):  # a notebook has it without an import
        return True
    if (entry_module, name) == ("numpy", "trapezoid") and numpy.__version__.startswith("1."):  # it came with 2.0
        return True
    found = find if is_installed(entry_module.split(".")[0]) else find_listed
    return found(entry_module, name) is not None


@pytest.mark.parametrize("library", libraries())
def test_names_exist_in_the_library(library: str) -> None:
    """A library that is neither installed nor listed fails: see `tests/knowledge/public_names.py`."""
    missing = [
        f"{table['module']}.{name}"
        for _, table in tables("entry")
        if table["module"].split(".")[0] == library
        for name in table["names"]
        if name not in old_names(table) and not exists(table["module"], name)
    ]
    assert missing == []


def test_every_list_is_of_a_library_in_the_knowledge() -> None:
    known = {*libraries(), *(name.split(".")[0] for pair in aliases().items() for name in pair)}
    assert {path.stem for path in NAMES.iterdir()} <= known
    for path in NAMES.iterdir():
        title, *lines = path.read_text(encoding="utf-8").splitlines()
        assert title.startswith("# ") and any(character.isdigit() for character in title), "no version"
        assert len(lines) == len(set(lines)) and all(line.startswith(f"{path.stem}.") for line in lines)


def test_aliases_lead_to_modules_that_exist() -> None:
    missing = []
    for target in set(aliases().values()):
        try:
            if importlib.util.find_spec(target.split(".")[0]) is None:
                continue
            module(target.split(".")[0])
        except (ImportError, OSError):
            continue
        if "." in target and target not in aliases() and resolve(target) is None:
            missing.append(target)
    assert missing == []


def callables(library: str, *effects: str) -> list[tuple[str, dict[str, Any]]]:
    """Names of a library that have one of these effects, as (name, entry)."""
    return [
        (name, table)
        for _, table in tables("entry")
        if table["effect"] in effects and table["module"].split(".")[0] == library
        for name in table["names"]
        if name not in old_names(table)
    ]


def signature(entry_module: str, name: str) -> inspect.Signature | None:
    if not is_installed(entry_module.split(".")[0]):
        return signature_of(find_listed(entry_module, name) or "")
    try:
        return inspect.signature(find(entry_module, name))
    except (TypeError, ValueError, ImportError, OSError):
        return None


@pytest.mark.parametrize("library", libraries())
def test_params_are_in_the_order_of_the_signature(library: str) -> None:
    wrong = []
    for name, table in callables(library, "measure", "counts", "cross-val"):
        found, keywords = signature(table["module"], name), table.get("keywords", {})
        theirs = [keywords.get(param, param) for param in found.parameters if param != "self"] if found else None
        if theirs is not None and theirs[: len(table["params"])] != table["params"]:
            wrong.append(f"{name}{found}")
    assert wrong == []


@pytest.mark.parametrize("library", libraries())
def test_averages_are_the_defaults_of_the_library(library: str) -> None:
    wrong = []
    for name, table in callables(library, "measure", "stateful-measure"):
        found = signature(table["module"], name)
        if found is not None and "average" in found.parameters and table.get("average", "entities") != "entities":
            default = found.parameters["average"].default
            if table["average"] != ("none" if default is None else default):
                wrong.append(f"{name}: {table['average']}, and not {default}")
    assert wrong == []


def test_signatures_are_compared() -> None:
    measures = [(n, t) for library in libraries() for n, t in callables(library, "measure", "counts", "cross-val")]
    assert sum(signature(table["module"], name) is not None for name, table in measures) > 0.9 * len(measures)
    assert str(signature("torcheval.metrics.functional", "binary_f1_score")) == "(input, target, *, threshold=0.5)"


def test_every_estimator_of_scikit_learn_is_known(knowledge: Knowledge) -> None:
    sklearn_utils = pytest.importorskip("sklearn.utils")
    module("sklearn")
    gives = {"classifier": "hard", "regressor": "scores"}
    unknown = []
    for kind, expected in gives.items():
        for name, cls in sklearn_utils.all_estimators(type_filter=kind):
            entry = knowledge.entry(f"{'.'.join(cls.__module__.split('.')[:2])}.{name}")
            if entry is None or (entry.effect == "estimator" and entry.facts["gives"] not in (expected, "as-last")):
                unknown.append(name)
    transformers = [name for name, _ in sklearn_utils.all_estimators(type_filter="transformer")]
    tails = {name.rpartition(".")[2] for name in knowledge.entries}
    unknown += [name for name in transformers if name not in tails]
    # the engine has no use for these two: they make graphs of neighbours and patches of images
    newer = set(unknown) - {"KNeighborsTransformer", "RadiusNeighborsTransformer", "PatchExtractor"}
    assert newer == set()


def test_scorers_are_those_of_scikit_learn(knowledge: Knowledge) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    names = set(metrics.get_scorer_names())
    assert set(knowledge.scorers) <= names
    for name in names:
        if name.startswith(("f1", "precision", "recall", "jaccard", "roc_auc", "average_precision")):
            assert knowledge.scorer(name) is not None, name


@pytest.mark.parametrize(
    ("name", "measure", "average"),
    [
        ("f1", "f-measure", "binary"),
        ("f1_macro", "f-measure", "macro"),
        ("f1_micro", "f-measure", "micro"),
        ("precision_weighted", "precision", "weighted"),
        ("recall_samples", "recall", "samples"),
        ("roc_auc", "roc-auc", None),
        ("roc_auc_ovr", "roc-auc", "ovr"),
        ("roc_auc_ovo_weighted", "roc-auc", "ovo_weighted"),
        ("average_precision", "average-precision", None),
    ],
)
def test_scoring_strings(knowledge: Knowledge, name: str, measure: str, average: str | None) -> None:
    scorer = knowledge.scorer(name)
    assert scorer is not None
    assert (scorer.measure, scorer.average) == (measure, average)


def test_unknown_scoring_strings(knowledge: Knowledge) -> None:
    assert knowledge.scorer("rand_score") is None
    assert knowledge.scorer("macro") is None


# --- conventions

NAMED = {
    "f-measure": """f1 F1 f2 f_1 F1_score F1Score f1score f1s f1_scores macro_f1 micro_f1 macroF1 f1_macro f1_weighted
        fscore f_score fscores val_f1s test_f1 trainf1 f_measure fmeasure FMeasure f_beta fbeta fbeta_score f05 f0_5
        avg_f1 mean_f1 best_f1 cv_f1 fold_f1 total_f1 sum_f1 list_f1 f1_list f1_avg f1_mean weighted_f1 f1-score
        dev_f1 f1_test F1_cv running_f1 oof_f1 svm_f1 f1_rf all_f1_scores""",
    "roc-auc": """roc_auc auc auc_scores AUROC AUC aucs auroc roc_aucs rocauc ROC_AUC mean_auc auc_roc test_auc
        val_aucs fold_aucs auc_score auc_list AUCs AUROCs oof_auc""",
    "average-precision": """aupr auprc AUPRC prauc pr_auc PR_AUC auc_pr average_precision avg_precision
        average_precisions ap aps test_ap map mAP mean_ap val_map average_precision_score""",
    "precision": "precision precisions prec test_prec macro_precision precision_macro ppv precision_scores avg_prec",
    "recall": "recall recalls rec test_rec macro_recall recall_scores sensitivity tpr mean_recall",
    "accuracy": "accuracy acc accs test_acc accuracies val_accuracy acc_list mean_acc",
}

NOT_NAMED = """f1_file conf perf1 half1 ref1 buf1 model_f1_path fig1 of1 elf2 f1_threshold f1_std f1_scorer fold f3 f10
    leaf1 pdf1 def1 conf1 f1_loss f1_fn f1_func f1_idx f1_names x_f1 record records recent received precise
    accent access accumulate accelerator auction launch fauc maple heat_map feature_map id_map label_map word_map
    mapper mapping color_map class_map bitmap apps app approx snap roc roc_curve record_f precision_dir recall_at
    rec_errs rec_loss
    account accounts auc_path auc_fig aucune prefix precedence prep recipe recover"""


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, names in NAMED.items() for name in names.split()])
def test_names_of_measures(knowledge: Knowledge, kind: str, name: str) -> None:
    assert knowledge.measure_named(name) == kind


@pytest.mark.parametrize("name", NOT_NAMED.split())
def test_names_that_are_not_of_measures(knowledge: Knowledge, name: str) -> None:
    assert knowledge.measure_named(name) is None


FOLLOWS = {
    "optimiser": "optimize minimize gp_minimize fmin",
    "best-value": "study.best_value study.best_trial.value result.fun",
    "label-name": "label topic tag class_name target_1",
    "prior": "prevalence priors imbalance_ratio pos_rate positive_fraction skew",
    "beta": "beta b",
    "beta-squared": "beta2 beta_squared b2 beta_sq",
    "ends-plotted": "matplotlib.pyplot.plot .boxplot ax.set_title plot_roc sns.heatmap",
    "ends-printed": "wandb.log .log_metric .set_postfix logging.info pprint add_scalar",
    "ends-written": "json.dumps .writerow np.savetxt .to_csv save_results",
    "ends-compared": "scipy.stats.wilcoxon ttest_rel .pearsonr assert_almost_equal",
    "ends-converted": "np.sqrt numpy.log10 scipy.interp np.unique",
    "ends-size": "np.zeros_like len isinstance",
    "trial": "quick debug_mode smoke_test dryRun test_mode",
    "fold": """fold folds kfold k_fold KFold n_splits cv_fold n_folds num_folds nfold cv kf skf fold_1 fold1 fold_idx
        outer_cv cv5 cross_val crossval_folds num_splits k_folds test_fold""",
    "fold-number": "fold fold_idx i_fold ifold fold_i foldno fold_no kfold current_fold fold_id fold_num cv_i k_fold",
    "splits": "folds splits kf skf cv kfold all_splits cv_splits",
    "row-numbers": "train_idx test_index val_indices trn_inds tr_ix index",
    "train-part": "train X_train dtrain train_idx tr trn_idx y_tr training_set trainset train_ids fit_idx",
    "test-part": "test X_test test_idx val y_val valid_idx te tst_idx dev_set holdout oof validation_y val_index",
    "batch": "batch batches train_loader loader dataloader test_dl data_iter val_generator minibatch mini_batch dl",
    "epoch": "epoch epochs n_epochs epoch_1 num_epoch",
    "seed": "seed seeds random_state run runs repeat repeats trial rep bootstrap n_iter",
    "bare-f": "f1 f2 f_1 F1 f fs",
    "bare-precision": "p pr prc pre p3",
    "bare-recall": "r re rc r3",
    "rows": "df dataset data X_df samples texts train iloc train_data rows images datas Xbt ybt X_n pair_indices ds",
    "prediction": "y_pred preds predicted y_hat predictions yhat y_prob pred_labels",
    "scores-of-model": "proba y_proba y_score test_probs probabilities decision_scores logits",
    "one-batch": "batch mini_batch minibatch",
    "loss": "loss losses val_loss",
    "encoder": "OrdinalEncoder MyTokenizer label_binarizer le one_hot clean_text",
    "classes": "classes val_classes class_names cls",
    "balancing": "minority df_majority balanced_df undersampled X_upsampled min_count",
    "choice": "find_best_threshold optimal_cutoff tune_threshold get_best_thr youden_threshold optimise_f2_thresholds",
    "threshold": "thr best_threshold thresholds cutoff opt_thres t best_t cut_point",
    "judging": "print_scores compute_metrics evaluate_model classification_report plot_confusion_matrix",
    "test-only": "test y_test X_te test_labels holdout yc1_test testloader testX testset dtest",
    "overlap": "dice dice_coef iou jaccard_index",
    "positives": "pos positives pos_idx positive_pairs_idx pos_edges",
    "evaluation": "predict evaluate test_model run_inference eval_epoch validate get_predictions",
    "setting": "args cfg config device model net batch_size device_ids tokenizer criterion",
    "true-positives": "tp TP tps n_tp true_pos true_positives truePositives TP_1",
    "false-positives": "fp FP fps n_fp false_pos false_positives",
    "false-negatives": "fn FN fns n_fn false_neg false_negatives",
    "true-negatives": "tn TN tns n_tn true_neg true_negatives",
    "per-fold": "load_per_fold_preds scores_by_fold read_all_folds each_fold per_folds",
    "small": "eps epsilon smooth EPS K_epsilon tiny",
    "truth": "y labels target targets y_true gt true y_test gold truths",
    "weights-of-samples": "sample_weight class_weights w_train weights_valid loss_weights",
    "training": "train_f1 training_results tr_f1 f1_train",
    "oof": "oof oof_preds train_oof OOF out_of_fold oofs",
    "specificity": "spec specificity TNR npv specificities",
    "default-dict": "DefaultDict DefaultOrderedDict OrderedDefaultDict default_dict",
    "ranks-roc-auc": "plot_roc get_threshold_metrics compute_auc auroc_score",
    "ranks-average-precision": "plot_pr_curve auprc get_average_precision",
    "ranks-precision-at-k": "precision_at_k p_at_k hit_rate prec_at_n lift",
    "keeps-rows": "groupby astype to_numpy fillna toarray DataFrame Series argmax get_dummies scale where",
    "thins-rows": "dropna sample head drop_duplicates query",
    "makes-model": "fit train_model load_weights load_state_dict build_network clone Sequential get_pretrained_model",
    "starts-anew": "set_weights load_weights clone_model deepcopy reset_states reinit variables_initializer",
    "model": "model clf base_estimator net my_classifier pipeline",
    "shows": "log_fn print_results report logInfo",
    "leaves-models": "dump save_model export_text plot_tree TreeExplainer permutation_importance",
    "trains-further": "partial_fit load_weights load_state_dict set_params train_on_batch",
    "describes": "LinearRegression OLS",
    "learns-of-unlabelled": "LabelSpreading LabelPropagation SelfTrainingClassifier",
}

BREAKS = {
    "optimiser": "optimizer fit minimum",
    "best-value": "study.best_params study.best_trial.params best_score function",
    "label-name": "rows dataset language name",
    "prior": "ratio prioritised skewness train_ratio",
    "beta": "alpha beta_1 bias",
    "beta-squared": "beta b1 batch2",
    "ends-plotted": "plots_of explotion .append",
    "ends-printed": "printer logit .push",
    "ends-written": "saved writer dumped",
    "ends-compared": "mean comparison sort",
    "ends-converted": "sqrt_of blog interpreter",
    "ends-size": "lens resize typed",
    "trial": "test mode demographics fast",
    "fold": "folder manifold scaffold unfold folding foldl2 cv2 cvae cvs_file recv split_name csv twofolder folders",
    "fold-number": "folder folders folder_path manifold scaffold unfolded",
    "splits": "splitter unsplit csv recv cv2",
    "row-numbers": "indicator matrix mixed reindexed six",
    "train-part": "trainer strain constraint transform fitness trace",
    "test-part": "tester latest contest value values evaluate interval devices tests_run attest",
    "batch": "debatch downloader uploader batched_out class_loaderx literal handle",
    "epoch": "epochal",
    "seed": "seeded prune runner trialist representation",
    "bare-f": "f3 f1_score ff f1s",
    "rows": "train_bucket edges participants ids sampler datum filed locale",
    "prediction": "predicate predator hat prob proba_thresh",
    "scores-of-model": "problem episode threshold labels scored probe",
    "one-batch": "batches loader batch_size",
    "loss": "lossless glossary",
    "encoder": "QuantileGuard StandardScaler level tokens lean",
    "classes": "classifier subclass_of classified",
    "balancing": "samples resampled sampler minor majorities",
    "choice": "threshold apply_threshold best_model find_peaks",
    "threshold": "threshing best theta three cute tt",
    "judging": "plot_roc predict load_data",
    "test-only": "val y_valid tester latest contest dev",
    "overlap": "f1 slice",
    "positives": "position post posterior compose",
    "evaluation": "train_test_split testing_data evaluator predictor load_test make_test_set contest",
    "setting": "argmax modelling configure deviceless samples labels",
    "true-positives": "tpr tpu http output stp",
    "false-positives": "fpr fpn fp16 fp32 offpath",
    "false-negatives": "fnr fnmatch fname",
    "true-negatives": "tnr tnf negatives",
    "per-fold": "fold load_fold n_folds by_folder per_folder fold_results",
    "small": "steps epsg smoother deltas",
    "truth": "yaml laboratory trueness gtx golden classifier",
    "weights-of-samples": "weight body_weights w_mean weighted train",
    "training": "trainer f1 test_f1 strain",
    "oof": "proof roof hoof oofx",
    "specificity": "special specify spectrum",
    "default-dict": "OrderedDict default_args dict",
    "ranks-roc-auc": "process rocket sauce proc",
    "ranks-average-precision": "precision average_score",
    "ranks-precision-at-k": "precision format_at shift",
    "keeps-rows": "merge dropna concat mean predict",
    "thins-rows": "fillna resample headline sampler",
    "makes-model": "predict evaluate outfit model get_baseline_performance payload",
    "starts-anew": "settings upset set_params load_data copy preset weights",
    "model": "remodelled planet pipes modelled",
    "shows": "login catalogue fit_and_report preprint",
    "leaves-models": "train_and_save evaluate fit_model cross_validate",
    "trains-further": "fit predict training summary",
    "describes": "LogisticRegression tools",
    "learns-of-unlabelled": "LabelEncoder semicolon LogisticRegression",
}


def cases(table: dict[str, str]) -> list[tuple[str, str]]:
    return [(convention, name) for convention, names in table.items() for name in names.split()]


@pytest.mark.parametrize(("convention", "name"), cases(FOLLOWS))
def test_names_that_follow_a_convention(knowledge: Knowledge, convention: str, name: str) -> None:
    assert knowledge.conforms(convention, name)


@pytest.mark.parametrize(("convention", "name"), cases(BREAKS))
def test_names_that_do_not_follow_a_convention(knowledge: Knowledge, convention: str, name: str) -> None:
    assert not knowledge.conforms(convention, name)


def test_every_convention_has_examples(knowledge: Knowledge) -> None:
    assert set(knowledge.conventions.expressions) == set(FOLLOWS) | set(NAMED) | {"not-a-measure"}


def test_the_code_uses_the_groups_of_names(knowledge: Knowledge) -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in Path(cvlint.analysis.__path__[0]).rglob("*.py"))
    used = re.findall(r'\bgroups\["([\w-]+)"\]', code)
    assert set(used) == set(knowledge.groups)
    assert all(names and all(name.isidentifier() for name in names) for names in knowledge.groups.values())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("F1Score", "f1_score"),
        ("f1-score", "f1_score"),
        ("testAUC", "test_auc"),
        ("AUROC", "auroc"),
        ("_f1", "f1"),
        ("DTItrain", "dti_train"),
        ("Xtest", "x_test"),
        ("CDNtestable", "cd_ntestable"),
        ("testloader", "test_loader"),
        ("valDataLoader1", "val_data_loader1"),
        ("X_trainset", "x_train_set"),
        ("valids", "valids"),
        ("latestset", "latestset"),
    ],
)
def test_snake_case(name: str, text: str) -> None:
    assert snake_case(name) == text
